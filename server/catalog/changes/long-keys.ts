import type { Kysely } from "kysely";
import { sql } from "kysely";
import { Fault } from "../../rules/fault.ts";
import { MAX_KEY_BYTES, MAX_NAME_BYTES } from "../../rules/name.ts";
import type { Key } from "../../rules/records.ts";
import type { Schema } from "../schema.ts";
import { isBelow } from "../select-records.ts";

/** Fault "invalid": with `to` in place of `from`, a key of a folder or file inside would be too long. */
export async function refuseLongKeys(db: Kysely<Schema>, from: Key, to: Key): Promise<void> {
  const growth = Buffer.byteLength(to) - Buffer.byteLength(from);
  if (growth <= 0) return;
  const inside = db
    .selectFrom("folders")
    .where((eb) => eb.or([eb("folders.key", "=", from), isBelow(from)(eb)]));
  const folderBytes = sql<number>`octet_length(folders.key)`;
  const folder = await inside
    .select("folders.id")
    .where(folderBytes, ">", MAX_KEY_BYTES - growth)
    .limit(1)
    .executeTakeFirst();
  // Files are looked at only where a name could make the difference, which is next to nowhere.
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
  if (folder !== undefined || file !== undefined) {
    throw new Fault(
      "invalid",
      `With this name, the key of something inside would be longer than ${MAX_KEY_BYTES} bytes.`,
    );
  }
}
