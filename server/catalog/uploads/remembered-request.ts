import { ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord, Millis } from "../../domain/records.ts";
import { ANSWER_MS, type RequestToRemember } from "../../domain/uploads.ts";
import { type Param, prepared, type StatementRunner } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { RememberedRequest } from "../port/file-tree.ts";
import { selectFiles } from "../records/select-records.ts";
import type { UploadsTable } from "../tables/uploads.ts";
import { isAsUploaded } from "./repeated-upload.ts";

/*
 * A request with an `Idempotency-Key` is remembered as a finished upload. No upload URL has such an id, and no
 * secret has such a hash.
 */

const rowId = (id: string): string => `put ${id}`;
const rowRequest = (request: string): string => `put ${request}`;

export function createFindRemembered({
  first,
  now,
}: Pick<StatementRunner, "first"> & { readonly now: () => Millis }) {
  return async (id: string): Promise<RememberedRequest | undefined> => {
    const values = { id: rowId(id), now: now() };
    const row = await first(selectRequest, values);
    if (row === undefined) return undefined;
    const isSame = (request: string): boolean => rowRequest(request) === row.secret_hash;
    return { isSame, file: await first(selectUnchanged, values) };
  };
}

/**
 * Locks the request until the transaction ends; call it before anything else is locked. false: another one with
 * this id has stored a file that is unchanged.
 */
export async function lockRequest(tx: Tx, { id }: RequestToRemember): Promise<boolean> {
  await tx.lockName(rowId(id));
  return (await tx.first(selectUnchanged, { id: rowId(id), now: tx.now })) === undefined;
}

export async function rememberRequest(
  tx: Tx,
  { id, request }: RequestToRemember,
  { id: fileId, blobId, name, size }: FileRecord,
): Promise<void> {
  const { kind, id: makerId, name: makerName } = tx.actor;
  await tx.db.deleteFrom("uploads").where("id", "=", rowId(id)).execute();
  const row: UploadsTable = {
    id: rowId(id),
    secret_hash: rowRequest(request),
    maker_kind: kind,
    maker_id: makerId,
    maker_name: makerName,
    folder_ids: "",
    folder: ROOT_KEY,
    batch_id: null,
    path_hash: null,
    name,
    content_type: null,
    visibility: null,
    lifetime: null,
    meta: null,
    tus_metadata: null,
    on_conflict: "refuse",
    expected_sha256: null,
    length: size,
    max_size: size,
    types: "[]",
    offset: size,
    checksum: 0,
    blob_id: blobId,
    growth: null,
    tail_blob_id: null,
    tail_size: 0,
    state: "finished",
    file_id: fileId,
    epoch: 0,
    writer: null,
    heartbeat: 0,
    must_stop: 0,
    created_at: tx.now,
    expires_at: tx.now + ANSWER_MS,
  };
  await tx.db.insertInto("uploads").values(row).execute();
}

interface Values {
  readonly id: string;
  readonly now: number;
}

const selectRequest = prepared((db, param: Param<Values>) =>
  db
    .selectFrom("uploads")
    .select("secret_hash")
    .where("id", "=", param("id"))
    .where("expires_at", ">", param("now")),
);

const selectUnchanged = prepared((db, param: Param<Values>) =>
  selectFiles(db)
    .innerJoin("uploads", "uploads.file_id", "files.id")
    .where("uploads.id", "=", param("id"))
    .where("uploads.expires_at", ">", param("now"))
    .where(isAsUploaded),
);
