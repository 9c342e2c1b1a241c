import { sql } from "kysely";
import type { Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { isBelow } from "../records/select-records.ts";

/**
 * Gives the folders below `from`, at any depth, keys below `to`. Lengths are computed in SQL: engines
 * count characters for `substr` differently from JavaScript.
 */
export async function rewriteKeys(tx: Tx, from: Key, to: Key): Promise<void> {
  await tx.db
    .updateTable("folders")
    .set({
      key: sql<Key>`cast(${to} as text) || substr(key, length(cast(${from} as text)) + 1)`,
    })
    .where(isBelow(from))
    .execute();
}
