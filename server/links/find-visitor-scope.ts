import type { FindScope } from "../access/find-scope.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { LinkLedger } from "../catalog/port/links.ts";
import { createResolveLink, visitorFolders } from "./resolve-link.ts";

/**
 * As `scopeOf`, and also for visitors of links: those of a drop link may write into its folder, as long
 * as the link works.
 */
export function createFindVisitorScope({
  catalog,
  scopeOf,
}: {
  readonly catalog: Pick<LinkLedger, "linkById"> &
    Pick<FileTree, "fileById" | "folderById"> &
    Pick<CatalogClock, "now">;
  readonly scopeOf: FindScope;
}): FindScope {
  const resolve = createResolveLink({ catalog, scopeOf });
  return async (actor) => {
    if (actor.kind !== "link") return scopeOf(actor);
    const record = actor.id === null ? undefined : await catalog.linkById(actor.id);
    if (record?.kind !== "drop") return undefined;
    const link = await resolve(record);
    if (link?.kind !== "folder") return undefined;
    return {
      actions: new Set(["write"]),
      folderIds: visitorFolders(link.folder, link.folderIds),
    };
  };
}
