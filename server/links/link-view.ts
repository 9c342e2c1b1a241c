import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { ListedLink } from "../catalog/port/links.ts";
import { topKeyOf } from "../domain/callers/authorize.ts";
import { callerWith, type SeenBy } from "../domain/callers/caller.ts";
import { allowsAll, isInFolder } from "../domain/callers/scope.ts";
import { isRunning } from "../domain/links.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";
import { hashLinkToken } from "../domain/tokens/link-token.ts";
import type { LinksDeps } from "./deps.ts";
import { makerActions } from "./link-operations.ts";

/** A link as its owner sees it. */
export interface LinkView extends ListedLink {
  /** null: AUTH_SECRET has changed since the link was made. */
  readonly token: string | null;
  readonly state: "active" | "expired" | "used_up" | "revoked" | "unavailable";
}

export interface LinkViewDeps extends Pick<LinksDeps, "scopesOf"> {
  readonly catalog: Pick<FileTree, "topFolder"> & Pick<CatalogClock, "now">;
  readonly tokenOf: (id: string) => string;
}

/** Views of links for a caller. A file or folder that it does not see looks missing. */
export type ViewLinks = (caller: SeenBy, links: readonly ListedLink[]) => Promise<LinkView[]>;

export function createViewLinks({ catalog, scopesOf, tokenOf }: LinkViewDeps): ViewLinks {
  async function rightsOf(link: ListedLink): Promise<(subject: Key) => boolean> {
    const sharing = (await scopesOf(link.maker)).filter((scope) =>
      allowsAll(scope, makerActions(link)),
    );
    const tops = await Promise.all(
      sharing.map(
        ({ top, ...scope }) =>
          top ?? (top === null ? undefined : topKeyOf(callerWith(link.maker, scope), catalog)),
      ),
    );
    return (subject) => tops.some((top) => top !== undefined && isInFolder(subject, top));
  }

  return async (caller, links) => {
    const top = await topKeyOf(caller, catalog);
    const rights = new Map<string, Promise<(subject: Key) => boolean>>();
    const now = catalog.now();

    async function stateOf(link: ListedLink): Promise<LinkView["state"]> {
      if (link.revokedAt !== null) return "revoked";
      if (!isRunning(link, now)) return "expired";
      const kindOfLink = `${link.maker.id} ${link.kind} ${link.subject.kind}`;
      const mayShare = rights.get(kindOfLink) ?? rightsOf(link);
      rights.set(kindOfLink, mayShare);
      if (link.subjectKey === null || !(await mayShare)(link.subjectKey)) return "unavailable";
      return link.usesLeft === 0 ? "used_up" : "active";
    }

    async function view(link: ListedLink): Promise<LinkView> {
      const token = tokenOf(link.id);
      const { subjectKey } = link;
      const isVisible = subjectKey !== null && top !== undefined && isInFolder(subjectKey, top);
      return {
        ...link,
        state: await stateOf(link),
        subjectKey: isVisible ? subjectKey : null,
        // The trash has no place in the tree, so only callers who see all of it see names in it.
        subjectName:
          isVisible || (subjectKey === null && top === ROOT_KEY) ? link.subjectName : null,
        token: hashLinkToken(token) === link.tokenHash ? token : null,
      };
    }

    return Promise.all(links.map(view));
  };
}
