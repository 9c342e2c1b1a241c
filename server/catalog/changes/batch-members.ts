import { Fault } from "../../rules/fault.ts";
import { childKey } from "../../rules/name.ts";
import type { BatchMember } from "../../rules/uploads.ts";
import { evenChunks } from "../chunks.ts";
import type { NewMembers } from "../port/batches.ts";
import { type Param, prepared, preparedForItems } from "../prepared-statement.ts";
import { selectBatches } from "../queries/select-uploads.ts";
import type { BatchesTable, BatchFoldersTable, BatchMembersTable } from "../tables/uploads.ts";
import type { Tx } from "../tx.ts";
import { foldersOf, hashOf, rejectMembers } from "./batch-paths.ts";
import { extendBatch } from "./batches.ts";
import { rejectBeyondLink, rejectBeyondUnfinished } from "./link-limits.ts";
import { lockMaker } from "./lock-maker.ts";
import { removeUploadsOfPaths } from "./remove-uploads.ts";
import { requireLeases } from "./require-leases.ts";

export async function addToBatch(tx: Tx, input: NewMembers): Promise<void> {
  await lockMakerOfLink(tx, input.id);
  const blobs = input.members.map(({ blobId }) => blobId);
  await requireLeases(tx, input.owner, blobs);
  const batch = await lockOpenBatch(tx, input.id);
  await rejectBeyondUnfinished(tx, batch, bytesOf(input.members));
  await addMembers(tx, batch, input.members);
  await removeUploadsOfPaths(tx, batch.id, input.members.map(pathHash));
  await extendBatch(tx, input.id, input.expiresAt);
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

/** Of a batch that is locked. Faults: same as `rejectMembers`. */
export async function addMembers(
  tx: Tx,
  batch: BatchesTable,
  members: readonly BatchMember[],
): Promise<void> {
  if (members.length === 0) return;
  await rejectMembers(tx, batch, members);
  const bytes = bytesOf(members);
  await rejectBeyondLink(tx, batch, { files: members.length, bytes });
  const rows = members.map((member, index) => toRow(batch, batch.files + index + 1, member));
  for (const items of evenChunks(rows)) {
    await tx.all(insertMembers(items.length), { items, shared: {} });
  }
  const folders = [...foldersOf(members).keys()].map((path_hash) => ({
    batch_id: batch.id,
    path_hash,
  }));
  for (const items of evenChunks(folders)) {
    await tx.all(insertFolders(items.length), { items, shared: {} });
  }
  await tx.all(updateTotals, {
    id: batch.id,
    files: batch.files + members.length,
    bytes: batch.bytes + bytes,
  });
}

const pathHash = ({ folder, name }: BatchMember): string => hashOf(childKey(folder, name));

const bytesOf = (members: readonly BatchMember[]): number =>
  members.reduce((sum, { size }) => sum + size, 0);

const selectById = prepared((db, param: Param<{ id: string }>) =>
  selectBatches(db).where("id", "=", param("id")),
);

const selectForUpdate = prepared((db, param: Param<{ id: string }>) =>
  selectBatches(db).where("id", "=", param("id")).forUpdate(),
);

const toRow = (batch: BatchesTable, number: number, member: BatchMember): BatchMembersTable => ({
  batch_id: batch.id,
  number,
  path_hash: pathHash(member),
  folder: member.folder,
  name: member.name,
  mime_type: member.mimeType,
  size: member.size,
  visibility: member.visibility,
  blob_id: member.blobId,
  checksum: member.checksum,
  sha256: member.sha256,
  meta: member.metadata,
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
        blob_id: member("blob_id"),
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
