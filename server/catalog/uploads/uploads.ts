import type { Actor } from "../../domain/activity.ts";
import { chain } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { lookup, type Param } from "../engine/prepared-statement.ts";
import type { WholeCreation } from "../port/uploads.ts";
import {
  selectBatches,
  selectUploads,
  toBatch,
  toMember,
  toUpload,
} from "../records/select-uploads.ts";
import { countOpenUploads } from "./count-open-uploads.ts";
import { createFindRemembered } from "./remembered-request.ts";
import { repeatedUpload } from "./repeated-upload.ts";

const uploadById = lookup((db, param: Param<{ id: string }>) =>
  selectUploads(db).where("id", "=", param("id")),
);

const batchById = lookup((db, param: Param<{ id: string }>) =>
  selectBatches(db).where("id", "=", param("id")),
);

export function createUploadQueries({
  db,
  first,
  all,
  now,
}: Pick<Engine, "db" | "first" | "all" | "now">) {
  return {
    uploadById: (id: string) => chain(first(uploadById, { id }), (row) => row && toUpload(row)),
    repeatedUpload: (creation: WholeCreation) => repeatedUpload({ all }, creation, now()),
    rememberedRequest: createFindRemembered({ first, now }),
    openUploads: (maker?: Actor) => countOpenUploads(db, maker),
    batchById: (id: string) => chain(first(batchById, { id }), (row) => row && toBatch(row)),
    async batchUploads(id: string, limit: number) {
      const rows = await selectUploads(db)
        .where("batch_id", "=", id)
        .where("state", "=", "open")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toUpload);
    },
    async batchMembers(id: string, after: number, limit: number) {
      const rows = await db
        .selectFrom("batch_members")
        .selectAll()
        .where("batch_id", "=", id)
        .where("number", ">", after)
        .orderBy("number")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...toMember(row), number: row.number }));
    },
  };
}
