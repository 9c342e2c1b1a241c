import type { Kysely } from "kysely";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Schema } from "../engine/schema.ts";

/** The id of the root folder, which identifies the instance. Error: there is none. */
export async function readRootId(db: Kysely<Schema>): Promise<string> {
  const root = await db
    .selectFrom("folders")
    .select("id")
    .where("folders.key", "=", ROOT_KEY)
    .executeTakeFirst();
  if (root === undefined) throw new Error("The catalog has lost its root folder.");
  return root.id;
}
