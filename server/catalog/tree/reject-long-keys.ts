import type { Kysely } from "kysely";
import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import {
  keyNames,
  MAX_KEY_BYTES,
  MAX_KEY_SEGMENTS,
  MAX_NAME_BYTES,
} from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isWithin } from "../records/select-records.ts";

/**
 * Fault "invalid": renaming `from` to `to` would make a key inside too long or too deep. `valid` is a
 * key of the folder with which it would not.
 */
export async function rejectLongKeys(
  db: Kysely<Schema>,
  from: Key,
  to: Key,
  valid: Key = from,
): Promise<void> {
  const isLonger = Buffer.byteLength(to) > Buffer.byteLength(valid);
  if ((isLonger && (await hasLongKey(db, from, to))) || (await hasDeepKey(db, from, to))) {
    throw new Fault(
      "invalid",
      `The key of something inside would have more than ${MAX_KEY_BYTES} bytes or ${MAX_KEY_SEGMENTS} segments.`,
    );
  }
}

async function hasLongKey(db: Kysely<Schema>, from: Key, to: Key): Promise<boolean> {
  const growth = Buffer.byteLength(to) - Buffer.byteLength(from);
  const inside = db.selectFrom("folders").where(isWithin(from));
  const folderBytes = sql<number>`octet_length(folders.key)`;
  const folder = await inside
    .select("folders.id")
    .where(folderBytes, ">", MAX_KEY_BYTES - growth)
    .limit(1)
    .executeTakeFirst();
  // Reads files only of folders where a file name could make the difference, which are very few.
  const file = await inside
    .innerJoin("files", "files.folder_id", "folders.id")
    .select("files.id")
    .where(folderBytes, ">", MAX_KEY_BYTES - growth - MAX_NAME_BYTES - 1)
    .where(
      sql<number>`octet_length(folders.key) + octet_length(files.name)`,
      ">",
      MAX_KEY_BYTES - growth - 1,
    )
    .limit(1)
    .executeTakeFirst();
  return folder !== undefined || file !== undefined;
}

async function hasDeepKey(db: Kysely<Schema>, from: Key, to: Key): Promise<boolean> {
  const growth = keyNames(to).length - keyNames(from).length;
  if (growth <= 0) return false;
  const segments = sql<number>`length(folders.key) - length(replace(folders.key, '/', '')) + 1`;
  // A folder at the limit becomes too deep itself; one a level above only if it has a file.
  const deepest = await db
    .selectFrom("folders")
    .where(isWithin(from))
    .where(segments, ">=", MAX_KEY_SEGMENTS - growth)
    .where((eb) =>
      eb.or([
        eb(segments, ">", MAX_KEY_SEGMENTS - growth),
        eb.exists(
          eb.selectFrom("files").select("files.id").whereRef("files.folder_id", "=", "folders.id"),
        ),
      ]),
    )
    .select("folders.id")
    .limit(1)
    .executeTakeFirst();
  return deepest !== undefined;
}
