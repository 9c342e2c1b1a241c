import { Fault } from "../../domain/faults/fault.ts";
import { childKey } from "../../domain/names/name.ts";
import type { BatchMember } from "../../domain/uploads.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { evenChunks, paddedChunks } from "../engine/chunks.ts";
import { type Param, prepared, preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { pathHash } from "../path-hash.ts";
import type { NewMembers } from "../port/batches.ts";
import { selectBatches } from "../records/select-uploads.ts";
import type { BatchesTable, BatchFoldersTable, BatchMembersTable } from "../tables/uploads.ts";
import { foldersOf, rejectMembers } from "./batch-paths.ts";
import { extendBatch } from "./batches.ts";
import { rejectBeyondLink, rejectBeyondUnfinished } from "./link-limits.ts";
import { lockMaker } from "./lock-maker.ts";
import { removeUploadsOfPaths } from "./remove-uploads.ts";

export async function addToBatch(tx: Tx, input: NewMembers): Promise<boolean> {
  await lockMakerOfLink(tx, input.id);
  const blobs = input.members.map(({ blobId }) => blobId);
  await requireLeases(tx, input.owner, blobs);
  const batch = await lockOpenBatch(tx, input.id);
  await rejectBeyondUnfinished(tx, batch, bytesOf(input.members));
  const added = await addMembers(tx, batch, input.members);
  const removed = await removeUploadsOfPaths(tx, batch.id, input.members.map(hashOf));
  await extendBatch(tx, input.id, input.expiresAt);
  return added < input.members.length || removed > 0;
}

/** The batches of a link have a limit for their bytes together. */
async function lockMakerOfLink(tx: Tx, id: string): Promise<void> {
  const batch = await tx.first(selectById, { id });
  if (batch?.maker_kind === "link") await lockMaker(tx, { kind: "link", id: batch.maker_id });
}

/** Faults: "not_found": there is no such batch; "gone": it was committed. */
export async function lockOpenBatch(tx: Tx, id: string): Promise<BatchesTable> {
  const batch = await tx.first(selectForUpdate, { id });
  if (batch === undefined) throw new Fault("not_found", "No such batch.");
  if (batch.state === "open") return batch;
  throw new Fault("gone", "This batch is committed, so nothing can be added to it.");
}

/** Adds members to a batch that is locked. Returns how many are new in it. Faults: same as `rejectMembers`. */
export async function addMembers(
  tx: Tx,
  batch: BatchesTable,
  members: readonly BatchMember[],
): Promise<number> {
  const fresh = await dropRepeated(tx, batch, members);
  if (fresh.length === 0) return 0;
  await rejectMembers(tx, batch, fresh);
  const bytes = bytesOf(fresh);
  await rejectBeyondLink(tx, batch, { files: fresh.length, bytes });
  const rows = fresh.map((member, index) => toRow(batch, batch.files + index + 1, member));
  for (const items of evenChunks(rows)) {
    await tx.all(insertMembers(items.length), { items, shared: {} });
  }
  const folders = [...foldersOf(fresh).keys()].map((path_hash) => ({
    batch_id: batch.id,
    path_hash,
  }));
  for (const items of evenChunks(folders)) {
    await tx.all(insertFolders(items.length), { items, shared: {} });
  }
  await tx.all(updateTotals, {
    id: batch.id,
    files: batch.files + fresh.length,
    bytes: batch.bytes + bytes,
  });
  return fresh.length;
}

/**
 * Those that are not in the batch already with the same content, as after a response that was lost. The
 * blobs of the others are condemned.
 */
async function dropRepeated(
  tx: Tx,
  batch: BatchesTable,
  members: readonly BatchMember[],
): Promise<readonly BatchMember[]> {
  const stored = new Map<string, StoredMember>();
  for (const chunk of paddedChunks(members)) {
    const items = chunk.map((member) => ({ hash: hashOf(member) }));
    const rows = await tx.all(selectStored(items.length), { items, shared: { id: batch.id } });
    for (const row of rows) stored.set(row.path_hash, row);
  }
  if (stored.size === 0) return members;
  const isRepeated = (member: BatchMember): boolean => {
    const earlier = stored.get(hashOf(member));
    return member.sha256 !== null && earlier?.sha256 === member.sha256;
  };
  const repeated = members.filter(isRepeated);
  await condemnBlobs(
    tx,
    repeated.map(({ blobId }) => blobId),
  );
  return members.filter((member) => !isRepeated(member));
}

/** Whether the batch has a file of this path and size. */
export async function hasMember(
  tx: Tx,
  batchId: string,
  { folder, name, size }: Pick<BatchMember, "folder" | "name" | "size">,
): Promise<boolean> {
  const items = [{ hash: pathHash(childKey(folder, name)) }];
  const [found] = await tx.all(selectStored(1), { items, shared: { id: batchId } });
  return found?.size === size;
}

const hashOf = ({ folder, name }: BatchMember): string => pathHash(childKey(folder, name));

const bytesOf = (members: readonly BatchMember[]): number =>
  members.reduce((sum, { size }) => sum + size, 0);

const selectById = prepared((db, param: Param<{ id: string }>) =>
  selectBatches(db).where("id", "=", param("id")),
);

type StoredMember = Pick<BatchMembersTable, "path_hash" | "size" | "sha256">;

const selectStored = preparedForItems<{ hash: string }, { id: string }, StoredMember>(
  (db, items, param) =>
    db
      .selectFrom("batch_members")
      .select(["path_hash", "size", "sha256"])
      .where("batch_id", "=", param("id"))
      .where(
        "path_hash",
        "in",
        items.map((item) => item("hash")),
      ),
);

const selectForUpdate = prepared((db, param: Param<{ id: string }>) =>
  selectBatches(db).where("id", "=", param("id")).forUpdate(),
);

const toRow = (batch: BatchesTable, number: number, member: BatchMember): BatchMembersTable => ({
  batch_id: batch.id,
  number,
  path_hash: hashOf(member),
  folder: member.folder,
  name: member.name,
  mime_type: member.mimeType,
  size: member.size,
  visibility: member.visibility,
  lifetime: member.lifetime,
  blob_id: member.blobId,
  checksum: member.checksum,
  sha256: member.sha256,
  meta: member.metadata,
  charset: member.charset ?? null,
});

const insertMembers = preparedForItems<BatchMembersTable, Record<never, never>, unknown>(
  (db, members) =>
    db.insertInto("batch_members").values(
      members.map((member) => ({
        batch_id: member("batch_id"),
        number: member("number"),
        path_hash: member("path_hash"),
        folder: member("folder"),
        name: member("name"),
        mime_type: member("mime_type"),
        size: member("size"),
        visibility: member("visibility"),
        lifetime: member("lifetime"),
        blob_id: member("blob_id"),
        charset: member("charset"),
        checksum: member("checksum"),
        sha256: member("sha256"),
        meta: member("meta"),
      })),
    ),
);

const insertFolders = preparedForItems<BatchFoldersTable, Record<never, never>, unknown>(
  (db, folders) =>
    db
      .insertInto("batch_folders")
      .values(
        folders.map((folder) => ({
          batch_id: folder("batch_id"),
          path_hash: folder("path_hash"),
        })),
      )
      .onConflict((conflict) => conflict.columns(["batch_id", "path_hash"]).doNothing()),
);

const updateTotals = prepared((db, param: Param<Pick<BatchesTable, "id" | "files" | "bytes">>) =>
  db
    .updateTable("batches")
    .set({ files: param("files"), bytes: param("bytes") })
    .where("id", "=", param("id")),
);
