import { EVERYTHING } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import { ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Key } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ancestorIds } from "../folders/ancestor-ids.ts";
import { lockRefsInPlace } from "../folders/lock-files-in-place.ts";
import { keysWithin } from "../records/object-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { hideFiles } from "./hidden-folders.ts";
import { insertDeletion } from "./trash-items.ts";

export async function trashFiles(
  tx: Tx,
  { ids: refs, keepMs }: { ids: readonly Ref[]; keepMs: number },
): Promise<{ undoId: string | undefined; files: Pick<FileRecord, "id" | "key">[] }> {
  const keys = await lockRefsInPlace(tx, refs);
  const rows = await rowsOf(tx, [...keys.keys()]);
  const { within } = tx;
  const inside =
    within === EVERYTHING
      ? undefined
      : await keysWithin(
          tx,
          rows.map(({ folderId }) => folderId),
          within,
        );
  const found = new Map<string, FileToTrash>();
  for (const { folderId, ...file } of rows) {
    const key = keys.get(file.id);
    if (key !== undefined && inside?.has(folderId) !== false) found.set(file.id, { ...file, key });
  }
  const files = [...keys.keys()].flatMap((id) => found.get(id) ?? []);
  if (files.length === 0) return { undoId: undefined, files: [] };
  const undoId = await moveToTrash(tx, files, keepMs);
  await recordChanges(
    tx,
    files.map(({ id, key }): TreeChange => ({ kind: "file.deleted", id, key })),
  );
  return { undoId, files: files.map(({ id, key }) => ({ id, key })) };
}

export type FileToTrash = Pick<FileRecord, "id" | "name" | "key" | "size">;

/**
 * Moves files to the trash, which are locked as are their folders. Returns the `undoId`. `emptied`: folders of the same
 * deletion, which the caller takes out of the tree.
 */
export async function moveToTrash(
  tx: Tx,
  files: readonly FileToTrash[],
  keepMs: number,
  emptied: readonly Pick<FolderRecord, "id" | "key">[] = [],
): Promise<string> {
  const parents = await ancestorIds(
    tx,
    [...files, ...emptied].map(({ key }) => folderOf(key)),
  );
  await hideFiles(tx, files);
  const items = files.map(({ id, key, size }) => ({
    subject_id: id,
    kind: "file" as const,
    key,
    parent_ids: parents(folderOf(key)).join(","),
    files: 1,
    bytes: size,
  }));
  const folders = emptied.map(({ id, key }) => ({
    subject_id: id,
    kind: "folder" as const,
    key,
    parent_ids: parents(folderOf(key)).join(","),
    files: 0,
    bytes: 0,
  }));
  return insertDeletion(tx, [...items, ...folders], keepMs);
}

const folderOf = (key: Key): Key => splitKey(key)?.folder ?? ROOT_KEY;

async function rowsOf(
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<FileRecord, "id" | "folderId" | "name" | "size">[]> {
  const rows: Pick<FileRecord, "id" | "folderId" | "name" | "size">[] = [];
  for (const chunk of chunks(ids)) {
    const found = tx.db
      .selectFrom("files")
      .select(["id", "folder_id as folderId", "name", "size"])
      .where("id", "in", chunk)
      .where(isLasting);
    rows.push(...(await found.execute()));
  }
  return rows;
}
