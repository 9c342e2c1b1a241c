import { Fault } from "../../domain/faults/fault.ts";
import { joinKey, keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { BatchMember, BatchResult } from "../../domain/uploads.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolders } from "../folders/ensure-folders.ts";
import { freeFolder, retryIfTaken } from "../folders/free-folder.ts";
import type { BatchCommit, CommittedBatch } from "../port/batches.ts";
import { selectBatches, toBatch, toMember } from "../records/select-uploads.ts";
import type { BatchesTable } from "../tables/uploads.ts";
import type { FileToStore } from "../tree/file-to-store.ts";
import { visibilityIn } from "../tree/folder-defaults.ts";
import { changesOf, storeFiles } from "../tree/store-files.ts";

export async function commitBatch(tx: Tx, input: BatchCommit): Promise<CommittedBatch> {
  const found = await findBatch(tx, input.id);
  if (found.state === "committed") return { batch: toBatch(found), isNew: false };
  if (found.expires_at <= tx.now) throw new Fault("gone", "The batch has expired.");
  const batch = await inOwnFolder(tx, found, input.folder);
  const record = toBatch(batch);
  await rejectOpenUploads(tx, batch.id);
  const members = await membersOf(tx, batch.id);
  const byFolder = Map.groupBy(members, ({ folder }) => below(batch.folder, folder));
  const ensured = ensureFolders(tx, batch.folder, [...byFolder.keys()]);
  const isOwn = batch.maker_kind === "link";
  const { byKey, created } = await (isOwn ? retryIfTaken(ensured) : ensured);
  const parents = new Set(created.map(({ parentId }) => parentId));
  const isCreated = new Set(created);
  const destinations = [...byFolder].flatMap(([key, files]) => {
    const folder = byKey.get(key);
    if (folder === undefined) throw new Error("A folder of a batch was not created.");
    const namesAreFree = isCreated.has(folder) && !parents.has(folder.id);
    return [
      { folder, namesAreFree, files: files.map((file) => toStore(file, folder, batch, input)) },
    ];
  });
  const byMaker = { ...tx, actor: record.maker };
  const stored = await storeFiles(byMaker, destinations, {
    onConflict: batch.on_conflict,
    keepReplacedMs: input.keepReplacedMs,
    replaceLimit: input.replaceLimit,
  });
  const used = new Set([...stored.added, ...stored.replaced].map(({ blobId }) => blobId));
  const skipped = members.map(({ blobId }) => blobId).filter((id) => !used.has(id));
  await condemnBlobs(tx, skipped);
  const result: BatchResult = {
    added: stored.added.length,
    replaced: stored.replaced.length,
    skipped: skipped.length,
    committedAt: tx.now,
  };
  await setCommitted(tx, batch, result, input.answerUntil);
  await recordChanges(byMaker, changesOf(created, stored));
  const committed = {
    ...record,
    state: "committed",
    result,
    expiresAt: input.answerUntil,
  } as const;
  return { batch: committed, isNew: true };
}

async function findBatch(tx: Tx, id: string): Promise<BatchesTable> {
  const batch = await selectBatches(tx.db).where("id", "=", id).forUpdate().executeTakeFirst();
  if (batch !== undefined) return batch;
  throw new Fault("not_found", "No such batch.");
}

/** What a visitor of a link sends gets a folder of its own. */
async function inOwnFolder(
  tx: Tx,
  batch: BatchesTable,
  folder = batch.folder,
): Promise<BatchesTable> {
  if (batch.maker_kind !== "link") return batch;
  return { ...batch, folder: await freeFolder(tx, folder) };
}

async function rejectOpenUploads(tx: Tx, id: string): Promise<void> {
  const open = await tx.db
    .selectFrom("uploads")
    .select(["folder", "name"])
    .where("batch_id", "=", id)
    .where("state", "=", "open")
    .limit(1)
    .executeTakeFirst();
  if (open === undefined) return;
  const { folder, name } = open;
  const what =
    name === null ? "a file without a name" : `"${joinKey([...keyNames(folder), name])}"`;
  throw new Fault(
    "conflict",
    `The upload of ${what} is not finished. Finish or cancel every upload of the batch first.`,
  );
}

async function membersOf(tx: Tx, id: string): Promise<BatchMember[]> {
  const rows = await tx.db
    .selectFrom("batch_members")
    .selectAll()
    .where("batch_id", "=", id)
    .orderBy("number")
    .execute();
  return rows.map(toMember);
}

const below = (top: Key, folder: Key): Key => joinKey([...keyNames(top), ...keyNames(folder)]);

function toStore(
  { folder: _folder, ...member }: BatchMember,
  folder: FolderRecord,
  batch: BatchesTable,
  { defaultVisibility }: BatchCommit,
): FileToStore {
  const visibility = member.visibility ?? batch.visibility;
  const lifetime = batch.lifetime ?? member.lifetime ?? undefined;
  return {
    ...member,
    visibility: visibility ?? visibilityIn(folder, defaultVisibility),
    replacedVisibility: visibility ?? undefined,
    lifetime,
    replacedLifetime: lifetime,
    metadata: member.metadata ?? undefined,
  };
}

/** The members are files from now on. */
async function setCommitted(
  tx: Tx,
  { id, folder }: BatchesTable,
  { committedAt, ...counts }: BatchResult,
  answerUntil: number,
): Promise<void> {
  await tx.db.deleteFrom("batch_members").where("batch_id", "=", id).execute();
  await tx.db.deleteFrom("batch_folders").where("batch_id", "=", id).execute();
  await tx.db
    .updateTable("batches")
    .set({
      state: "committed",
      folder,
      ...counts,
      committed_at: committedAt,
      expires_at: answerUntil,
    })
    .where("id", "=", id)
    .execute();
}
