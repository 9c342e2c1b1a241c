import type { ExpressionBuilder } from "kysely";
import type { Actor } from "../../domain/activity.ts";
import { childKey } from "../../domain/names/name.ts";
import type { FileRecord, Key, Millis } from "../../domain/records.ts";
import { compiledOnce, type Param, type StatementRunner } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { pathHash } from "../path-hash.ts";
import type { WholeCreation } from "../port/uploads.ts";
import { selectFiles } from "../records/select-records.ts";

/**
 * The file that an upload of the same maker, folder, name and size has stored, if that upload is still
 * remembered and the file is as it left it: the same content and name, in the same place.
 */
export async function repeatedUpload(
  runner: Pick<StatementRunner, "all">,
  { maker, folder, name, size }: WholeCreation,
  now: Millis,
): Promise<FileRecord | undefined> {
  const hash = pathHash(childKey(folder, name));
  const makerId = maker.id ?? "";
  const values = { hash, folder, kind: maker.kind, makerId, size, now };
  const rows = await runner.all(select, values);
  return rows[0];
}

/** Whether a file is as its finished upload has left it. */
export const isAsUploaded = ({
  and,
  eb,
  ref,
}: ExpressionBuilder<Pick<Schema, "files" | "uploads">, "files" | "uploads">) =>
  and([
    eb("files.blob_id", "=", ref("uploads.blob_id")),
    // A rename, a move or another change of the record is later than its content.
    eb("files.updated_at", "<=", ref("files.modified_at")),
  ]);

interface Values {
  readonly hash: string;
  readonly folder: Key;
  readonly kind: Actor["kind"];
  readonly makerId: string;
  readonly size: number;
  readonly now: Millis;
}

const select = compiledOnce((db, param: Param<Values>) =>
  selectFiles(db)
    .innerJoin("uploads", "uploads.file_id", "files.id")
    .where("uploads.batch_id", "is", null)
    .where("uploads.path_hash", "=", param("hash"))
    // The record of a file stays as it is when its folder is renamed or moved. Its name may be another one than the
    // upload's: with "keepBoth", the upload got a free name.
    .where("folders.key", "=", param("folder"))
    .where("uploads.maker_kind", "=", param("kind"))
    .where((eb) => eb(eb.fn.coalesce("uploads.maker_id", eb.val("")), "=", param("makerId")))
    .where("uploads.length", "=", param("size"))
    .where("uploads.expires_at", ">", param("now"))
    .where(isAsUploaded)
    .orderBy("uploads.id", "desc")
    .limit(1),
);
