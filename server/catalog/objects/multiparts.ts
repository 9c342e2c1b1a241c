import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import { afterPrefix } from "../../../contract/text/utf8-order.ts";
import { chain } from "../../lib/maybe-promise.ts";
import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledOnce, type Param, prepared } from "../engine/prepared-statement.ts";
import type { MultipartListRequest } from "../port/multiparts.ts";
import {
  isUnfinished,
  selectMultiparts,
  selectStoredParts,
  toMultipart,
  toPart,
} from "../records/select-multiparts.ts";

export function createMultipartQueries({ db, first, all }: Pick<Engine, "db" | "first" | "all">) {
  return {
    multipartById: (id: string) =>
      chain(first(multipartById, { id }), (row) => row && toMultipart(row)),

    async multipartsAfter({
      bucket,
      prefix,
      from = "",
      after,
      limit,
    }: MultipartListRequest): Promise<MultipartRecord[]> {
      const end = prefix === "" ? undefined : afterPrefix(prefix);
      const rows = await selectMultiparts(db)
        .where(isUnfinished)
        .where("bucket", "=", bucket)
        .where(sql<SqlBool>`key >= ${prefix}`)
        .where(sql<SqlBool>`key >= ${from}`)
        .where(end === undefined ? always : sql<SqlBool>`key < ${end}`)
        .where(after === undefined ? always : isAfter(after))
        .orderBy("key")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toMultipart);
    },

    async partsAfter(uploadId: string, after: number, limit: number): Promise<PartRecord[]> {
      const rows = await all(partsAfter, { uploadId, after, limit });
      return rows.map(toPart);
    },
  };
}

function isAfter({ key, id }: { readonly key: string; readonly id: string }): Expression<SqlBool> {
  return id === "" ? sql`key > ${key}` : sql`(key > ${key} or (key = ${key} and id > ${id}))`;
}

const always = sql<SqlBool>`1 = 1`;

const multipartById = prepared((db, param: Param<{ id: string }>) =>
  selectMultiparts(db).where("id", "=", param("id")),
);

const partsAfter = compiledOnce(
  (db, param: Param<{ uploadId: string; after: number; limit: number }>) =>
    selectStoredParts(db)
      .where("upload_id", "=", param("uploadId"))
      .where("number", ">", param("after"))
      .orderBy("number")
      .limit(param("limit")),
);
