import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { compiledOnce, type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { ObjectFolder } from "../records/object-folders.ts";
import type { FoundRemoval } from "./find-removal.ts";

/**
 * The implicit folders that are empty once the objects are gone, each after those inside it. A bucket is
 * never one of them.
 */
export async function findEmptied(tx: Tx, found: FoundRemoval): Promise<FolderRecord[]> {
  const emptied: FolderRecord[] = [];
  const byId = new Map([...found.folders.values()].map((each) => [each.folder.id, each]));
  // A request may name an object twice.
  const files = new Map(found.objects.flatMap(({ file }) => (file ? [[file.id, file]] : [])));
  const removedFiles = countBy([...files.values()].map(({ folderId }) => folderId));
  const noObjects = new Set(found.objects.map(({ folder }) => folder?.folder.id));
  const removedFolders = new Map<string, number>();
  for (const each of deepestFirst(found.folders.values())) {
    const { id, key, parentId } = each.folder;
    const isTouched = removedFiles.has(id) || removedFolders.has(id) || noObjects.has(id);
    const mayGo = (each.implicit === 1 || noObjects.has(id)) && keyNames(key).length > 1;
    if (!isTouched || !mayGo || !found.removable.has(id)) continue;
    const fileCount = removedFiles.get(id) ?? 0;
    const folderCount = removedFolders.get(id) ?? 0;
    if (!(await hasNoMore(tx, id, fileCount, folderCount))) continue;
    emptied.push(each.folder);
    const parent = byId.get(parentId ?? "");
    if (parent !== undefined) add(removedFolders, parent.folder.id);
  }
  return emptied;
}

/** Returns the folders that a new one of the same name could not replace, because they have defaults, links or API keys. */
export async function findKept(
  tx: Tx,
  folders: readonly FolderRecord[],
): Promise<Set<FolderRecord>> {
  const used = new Set<string>();
  for (const chunk of chunks(folders.map(({ id }) => id))) {
    const links = tx.db.selectFrom("links").select("subject_id").where("subject_id", "in", chunk);
    for (const { subject_id } of await links.execute()) used.add(subject_id);
  }
  if (folders.length > 0) {
    const keys = tx.db.selectFrom("api_keys").select("folder_ids").where("folder_ids", "<>", "");
    for (const { folder_ids } of await keys.execute()) {
      for (const id of folder_ids.split(",")) used.add(id);
    }
  }
  return new Set(
    folders.filter(
      ({ id, defaultVisibility, expireAfter }) =>
        used.has(id) || defaultVisibility !== null || expireAfter !== null,
    ),
  );
}

export async function deleteFolders(tx: Tx, folders: readonly FolderRecord[]): Promise<void> {
  for (const { id } of folders) await tx.all(deleteFolder, { id });
}

const deepestFirst = (folders: Iterable<ObjectFolder>): ObjectFolder[] =>
  [...folders].sort((a, b) => keyNames(b.folder.key).length - keyNames(a.folder.key).length);

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) add(counts, id);
  return counts;
}

function add(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** Whether the folder contains at most these numbers of files and folders. */
async function hasNoMore(tx: Tx, id: string, files: number, folders: number): Promise<boolean> {
  const foundFiles = await tx.all(selectFileIds, { id, limit: files + 1 });
  if (foundFiles.length > files) return false;
  return (await tx.all(selectFolderIds, { id, limit: folders + 1 })).length <= folders;
}

const selectFileIds = compiledOnce((db, param: Param<{ id: string; limit: number }>) =>
  db.selectFrom("files").select("id").where("folder_id", "=", param("id")).limit(param("limit")),
);

const selectFolderIds = compiledOnce((db, param: Param<{ id: string; limit: number }>) =>
  db.selectFrom("folders").select("id").where("parent_id", "=", param("id")).limit(param("limit")),
);

const deleteFolder = prepared((db, param: Param<{ id: string }>) =>
  db.deleteFrom("folders").where("id", "=", param("id")),
);
