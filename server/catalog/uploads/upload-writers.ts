import { Fault } from "../../domain/faults/fault.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { type UploadClaim, type UploadLedger, WRITER_SECONDS } from "../port/uploads.ts";
import { selectUploads, toUpload } from "../records/select-uploads.ts";
import type { UploadsTable } from "../tables/uploads.ts";

export async function claimUpload(
  tx: Tx,
  { id, owner, isOnlyProcess = false }: Parameters<UploadLedger["claimUpload"]>[0],
): Promise<UploadClaim> {
  const row = await lockUpload(tx, id);
  if (row === undefined) return undefined;
  if (row.state === "finished") return { epoch: row.epoch, upload: toUpload(row) };
  if (!isOnlyProcess && isActive(tx, row)) {
    await tx.all(askToStop, { id });
    return "busy";
  }
  const epoch = row.epoch + 1;
  await tx.all(setWriter, { id, epoch, writer: owner, heartbeat: tx.leaseTime });
  return { epoch, upload: toUpload(row) };
}

export async function renewUpload(tx: Tx, id: string, epoch: number): Promise<boolean> {
  const row = await tx.first(selectWriter, { id });
  if (row?.epoch !== epoch || row.must_stop === 1) return false;
  // A change that writes nothing needs no fsync, and writers renew far more often than they must.
  if (row.writer !== null && age(tx, row) <= (WRITER_SECONDS * 1000) / 4) return true;
  const renewed = await tx.all(renew, { id, epoch, heartbeat: tx.leaseTime });
  return renewed.length > 0;
}

export async function releaseUpload(tx: Tx, id: string, epoch: number): Promise<void> {
  await tx.all(clearWriter, { id, epoch });
}

/** The row, locked until the transaction ends. */
export const lockUpload = async (tx: Tx, id: string): Promise<UploadsTable | undefined> =>
  tx.first(selectForUpdate, { id });

/** Whether this epoch is that of the last writer of an open upload. */
export const isWriter = (row: UploadsTable, epoch: number): boolean =>
  row.state === "open" && row.epoch === epoch;

export const noSuchUpload = (): Fault => new Fault("not_found", "No such upload.");

/** A time ahead of the clock by more than this is from before the machine's last boot. */
function isActive(tx: Tx, { writer, heartbeat }: UploadsTable): boolean {
  return writer !== null && age(tx, { heartbeat }) <= WRITER_SECONDS * 1000;
}

/** In milliseconds. */
const age = (tx: Tx, { heartbeat }: Pick<UploadsTable, "heartbeat">): number =>
  Math.abs(tx.leaseTime - heartbeat);

const selectWriter = prepared((db, param: Param<{ id: string }>) =>
  db
    .selectFrom("uploads")
    .select(["epoch", "writer", "heartbeat", "must_stop"])
    .where("id", "=", param("id")),
);

const selectForUpdate = prepared((db, param: Param<{ id: string }>) =>
  selectUploads(db).where("id", "=", param("id")).forUpdate(),
);

const askToStop = prepared((db, param: Param<{ id: string }>) =>
  db.updateTable("uploads").set({ must_stop: 1 }).where("id", "=", param("id")),
);

type Claim = Pick<UploadsTable, "id" | "epoch" | "heartbeat"> & { writer: string };

const setWriter = prepared((db, param: Param<Claim>) =>
  db
    .updateTable("uploads")
    .set({
      epoch: param("epoch"),
      writer: param("writer"),
      heartbeat: param("heartbeat"),
      must_stop: 0,
    })
    .where("id", "=", param("id")),
);

const renew = prepared((db, param: Param<Pick<UploadsTable, "id" | "epoch" | "heartbeat">>) =>
  db
    .updateTable("uploads")
    .set({ heartbeat: param("heartbeat") })
    .where("id", "=", param("id"))
    .where("epoch", "=", param("epoch"))
    .where("state", "=", "open")
    .where("writer", "is not", null)
    .where("must_stop", "=", 0)
    .returning("id"),
);

const clearWriter = prepared((db, param: Param<Pick<UploadsTable, "id" | "epoch">>) =>
  db
    .updateTable("uploads")
    .set({ writer: null })
    .where("id", "=", param("id"))
    .where("epoch", "=", param("epoch")),
);
