import type { FindScopes } from "../access/find-scopes.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { LinkLedger } from "../catalog/port/links.ts";
import { createResolveLink, visitorScope } from "./resolve-link.ts";

/**
 * As `scopesOf`, and also for visitors of links: those of a drop link may write into its folder, as long
 * as the link works.
 */
export function createFindVisitorScopes({
  catalog,
  scopesOf,
}: {
  readonly catalog: Pick<LinkLedger, "linkById"> &
    Pick<FileTree, "fileById" | "folderById"> &
    Pick<CatalogClock, "now">;
  readonly scopesOf: FindScopes;
}): FindScopes {
  const resolve = createResolveLink({ catalog, scopesOf });
  return async (actor) => {
    if (actor.kind !== "link") return scopesOf(actor);
    const record = actor.id === null ? undefined : await catalog.linkById(actor.id);
    if (record?.kind !== "drop") return [];
    const link = await resolve(record);
    if (link?.kind !== "folder") return [];
    return [visitorScope(link)];
  };
}
