import type { Kysely } from "kysely";
import { Fault } from "../rules/fault.ts";
import type { Name } from "../rules/records.ts";
import { pieces } from "./pieces.ts";
import type { Schema } from "./schema.ts";

export type Holder = "file" | "folder";

/** Which of the names something in the folder bears, and what. Files and folders share one namespace. */
export async function takenNames(
  db: Kysely<Schema>,
  folderId: string,
  names: readonly Name[],
): Promise<Map<string, Holder>> {
  const taken = new Map<string, Holder>();
  for (const piece of pieces(names)) {
    const rows = await db
      .selectFrom("files")
      .select(["name", (eb) => eb.val<Holder>("file").as("holder")])
      .where("folder_id", "=", folderId)
      .where("name", "in", piece)
      .unionAll(
        db
          .selectFrom("folders")
          .select(["name", (eb) => eb.val<Holder>("folder").as("holder")])
          .where("parent_id", "=", folderId)
          .where("name", "in", piece)
          .$narrowType<{ name: Name }>(),
      )
      .execute();
    for (const { name, holder } of rows) taken.set(name, holder);
  }
  return taken;
}

/** What in the folder bears this name. */
export async function takenBy(
  db: Kysely<Schema>,
  folderId: string,
  name: Name,
): Promise<Holder | undefined> {
  return (await takenNames(db, folderId, [name])).get(name);
}

export function nameTaken(holder: Holder, name: string): Fault {
  return new Fault("conflict", `A ${holder} named "${name}" already exists in this folder.`);
}
