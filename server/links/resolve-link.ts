import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { type Authorized, authorize } from "../domain/callers/authorize.ts";
import { callerWith, SYSTEM } from "../domain/callers/caller.ts";
import { allowsAll, mayReach, type PlacedScope, type Scope } from "../domain/callers/scope.ts";
import { isRunning, type LinkRecord, visitorOf } from "../domain/links.ts";
import type { FileRecord, FolderRecord, KeyAction } from "../domain/records.ts";
import type { LinksDeps } from "./deps.ts";
import { type LinkOperation, makerActions, visitorActions } from "./link-operations.ts";

/** A link that works now, with what it is for. */
export type ResolvedLink = {
  readonly record: LinkRecord;
  /** The folders of the link's maker: what visitors do must be inside. */
  readonly folderIds: Scope["folderIds"];
} & (
  | { readonly kind: "file"; readonly file: FileRecord }
  | { readonly kind: "folder"; readonly folder: FolderRecord }
);

export type FolderLink = Extract<ResolvedLink, { kind: "folder" }>;

export type ResolveLink = (record: LinkRecord) => Promise<ResolvedLink | undefined>;

/**
 * undefined: the link has ended, its file or folder is not in the tree, or its maker no longer exists
 * or may not share it any more. Whether visits are left is not considered.
 */
export function createResolveLink({
  catalog,
  scopesOf,
}: Pick<LinksDeps, "scopesOf"> & {
  readonly catalog: Pick<FileTree, "fileById" | "folderById"> & Pick<CatalogClock, "now">;
}): ResolveLink {
  async function resolveWith(scope: Scope, record: LinkRecord): Promise<ResolvedLink | undefined> {
    if (!allowsAll(scope, makerActions(record))) return undefined;
    const { folderIds } = scope;
    const maker = callerWith(record.maker, scope);
    const { kind, id } = record.subject;
    if (kind === "file") {
      const file = await catalog.fileById(maker, id);
      return file && { record, folderIds, kind, file };
    }
    const folder = await catalog.folderById(maker, id);
    return folder && { record, folderIds, kind, folder };
  }

  /** Without those that are elsewhere, of which a member may have many. */
  async function reaching(
    scopes: readonly PlacedScope[],
    { subject: { kind, id } }: LinkRecord,
  ): Promise<readonly PlacedScope[]> {
    if (scopes.length < 2) return scopes;
    const found = await (kind === "file"
      ? catalog.fileById(SYSTEM, id)
      : catalog.folderById(SYSTEM, id));
    return found === undefined ? [] : scopes.filter((scope) => mayReach(scope, found.key));
  }

  return async (record) => {
    if (!isRunning(record, catalog.now())) return undefined;
    for (const scope of await reaching(await scopesOf(record.maker), record)) {
      const link = await resolveWith(scope, record);
      if (link !== undefined) return link;
    }
    return undefined;
  };
}

/**
 * The rights of the visitors of a folder's link: inside of it, as far as its maker may go. The root limits nothing.
 */
export const visitorScope = ({ record, folderIds, folder }: FolderLink): Scope => ({
  actions: visitorActions(record),
  folderIds:
    folder.key === "" ? folderIds : [folder.id, ...folderIds.filter((id) => id !== folder.id)],
});

/** A visitor of a folder's link, with the actions of the operation's row. Fault "forbidden". */
export const authorizeVisitor = <A extends KeyAction>(
  link: FolderLink,
  { permission }: LinkOperation<A>,
): Authorized<A> =>
  authorize(callerWith(visitorOf(link.record), visitorScope(link)), permission.actions);
