import type { Ref } from "../../domain/callers/ref.ts";
import { childKey } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";
import { chunks, paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { fileIdsOf, isRenamed, leadElsewhere } from "../records/resolve-refs.ts";
import { lockFiles } from "./file-locks.ts";
import { lockFoldersShared } from "./folder-locks.ts";

/** Does the same for references. The result follows their order, each file once. */
export async function lockRefsInPlace(tx: Tx, refs: readonly Ref[]): Promise<Map<string, Key>> {
  const ids = await fileIdsOf(tx, refs);
  const locked = await lockFilesInPlace(
    tx,
    ids.filter((id) => id !== undefined),
  );
  const files = new Map<string, Key>();
  const missing: Ref[] = [];
  const gone: (string | undefined)[] = [];
  refs.forEach((ref, place) => {
    const id = ids[place];
    const key = id === undefined ? undefined : locked.get(id);
    if (id === undefined || key === undefined) {
      missing.push(ref);
      gone.push(id);
      return;
    }
    if (isRenamed(ref, { key })) throw new RetryTransaction();
    files.set(id, key);
  });
  if (await leadElsewhere(tx, missing, gone)) throw new RetryTransaction();
  return files;
}

/**
 * Locks the files with these ids, and their folders, so that their keys stay true until the
 * transaction ends. Returns the keys, without files of removed folders.
 */
export async function lockFilesInPlace(tx: Tx, ids: readonly string[]): Promise<Map<string, Key>> {
  const before = await placesOf(tx, ids);
  const folderIds = [...new Set(before.map(({ folderId }) => folderId))].sort();
  const keys = new Map<string, Key>();
  for (const chunk of chunks(folderIds)) {
    for (const { id, key } of await lockFoldersShared(tx, chunk)) keys.set(id, key);
  }
  await lockFiles(tx, ids);
  const files = new Map<string, Key>();
  const locked = new Set(folderIds);
  for (const { id, folderId, name } of await placesOf(tx, ids)) {
    // It was moved before it was locked.
    if (!locked.has(folderId)) throw new RetryTransaction();
    const folder = keys.get(folderId);
    if (folder !== undefined) files.set(id, childKey(folder, name));
  }
  return files;
}

interface FilePosition {
  readonly id: string;
  readonly folderId: string;
  readonly name: Name;
}

async function placesOf(tx: Tx, ids: readonly string[]): Promise<FilePosition[]> {
  const found: FilePosition[] = [];
  for (const chunk of paddedChunks(ids)) {
    const items = chunk.map((id) => ({ id }));
    found.push(...(await tx.all(selectPlaces(items.length), { items, shared: {} })));
  }
  return found;
}

const selectPlaces = preparedForItems<{ id: string }, Record<never, never>, FilePosition>(
  (db, items) =>
    db
      .selectFrom("files")
      .select(["id", "folder_id as folderId", "name"])
      .where(
        "id",
        "in",
        items.map((item) => item("id")),
      ),
);
