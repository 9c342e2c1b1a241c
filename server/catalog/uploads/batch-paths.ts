import { Fault } from "../../domain/faults/fault.ts";
import { childKey, joinKey, keyNames } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";
import { MAX_BATCH_FILES, type UploadRecord } from "../../domain/uploads.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { pathHash } from "../path-hash.ts";
import type { BatchesTable } from "../tables/uploads.ts";

/* Paths relative to the folder of a batch. They may be too long for an index, so their hashes are stored. */

interface Path {
  readonly folder: Key;
  readonly name: Name;
}

/**
 * Faults: "too_large": the batch is full; "conflict": a path is taken in the batch; "invalid": a key
 * would be too long.
 */
export async function rejectMembers(
  tx: Tx,
  batch: BatchesTable,
  paths: readonly Path[],
): Promise<void> {
  if (batch.files + Math.max(1, paths.length) > MAX_BATCH_FILES) {
    throw new Fault("too_large", `A batch has at most ${MAX_BATCH_FILES} files.`, {
      code: "too_many",
      details: { limit: MAX_BATCH_FILES },
    });
  }
  const names = keyNames(batch.folder);
  const files = new Map<string, Key>();
  for (const { folder, name } of paths) {
    joinKey([...names, ...keyNames(folder), name]);
    const path = childKey(folder, name);
    const hash = pathHash(path);
    if (files.has(hash)) throw taken(path);
    files.set(hash, path);
  }
  const folders = foldersOf(paths);
  for (const [hash, path] of folders) if (files.has(hash)) throw taken(path);
  // A file needs a path of its own; a folder only one that no file has.
  await rejectFound(tx, selectMembers, batch.id, files);
  await rejectFound(tx, selectMembers, batch.id, folders);
  await rejectFound(tx, selectBatchFolders, batch.id, files);
}

/** The folders of the paths and their ancestors by hash, without the folder of the batch. */
export function foldersOf(paths: readonly Path[]): Map<string, Key> {
  const found = new Map<string, Key>();
  for (const folder of new Set(paths.map((path) => path.folder))) {
    const names = keyNames(folder);
    for (let end = names.length; end > 0; end -= 1) {
      const path = joinKey(names.slice(0, end));
      found.set(pathHash(path), path);
    }
  }
  return found;
}

/** null: the upload is in no batch, or has no name yet. */
export const pathHashOf = (
  upload: Pick<UploadRecord, "batchId" | "folder" | "name">,
): string | null =>
  upload.batchId === null || upload.name === null
    ? null
    : pathHash(childKey(upload.folder, upload.name));

const taken = (path: Key): Fault =>
  new Fault("conflict", `"${path}" is in the batch already.`, {
    code: "name_taken",
    details: { key: path },
  });

async function rejectFound(
  tx: Tx,
  select: typeof selectMembers,
  batchId: string,
  paths: ReadonlyMap<string, Key>,
): Promise<void> {
  for (const hashes of paddedChunks([...paths.keys()])) {
    const items = hashes.map((hash) => ({ hash }));
    const [found] = await tx.all(select(items.length), { items, shared: { batchId } });
    const path = found && paths.get(found.hash);
    if (path !== undefined) throw taken(path);
  }
}

const selectMembers = selectHashes("batch_members");
const selectBatchFolders = selectHashes("batch_folders");

function selectHashes(table: "batch_members" | "batch_folders") {
  return preparedForItems<{ hash: string }, { batchId: string }, { hash: string }>(
    (db, items, param) =>
      db
        .selectFrom(table)
        .select("path_hash as hash")
        .where("batch_id", "=", param("batchId"))
        .where(
          "path_hash",
          "in",
          items.map((item) => item("hash")),
        ),
  );
}
