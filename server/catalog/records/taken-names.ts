import { sql } from "kysely";
import { Fault } from "../../domain/fault.ts";
import type { Name } from "../../domain/records.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems, type StatementRunner } from "../engine/prepared-statement.ts";

export type Holder = "file" | "folder";

/** Which of the names are taken in the folder, and by what. Files and folders share one namespace. */
export async function takenNames(
  runner: StatementRunner,
  folderId: string,
  names: readonly Name[],
): Promise<Map<string, Holder>> {
  const taken = new Map<string, Holder>();
  for (const chunk of paddedChunks(names)) {
    const items = chunk.map((name) => ({ name }));
    const rows = await runner.all(selectTaken(items.length), { items, shared: { folderId } });
    for (const { name, holder } of rows) taken.set(name, holder);
  }
  return taken;
}

const selectTaken = preparedForItems<
  { name: Name },
  { folderId: string },
  { name: Name; holder: Holder }
>((db, items, param) => {
  const names = items.map((item) => item("name"));
  return db
    .selectFrom("files")
    .select(["name", sql<Holder>`'file'`.as("holder")])
    .where("folder_id", "=", param("folderId"))
    .where("name", "in", names)
    .unionAll(
      db
        .selectFrom("folders")
        .select(["name", sql<Holder>`'folder'`.as("holder")])
        .where("parent_id", "=", param("folderId"))
        .where("name", "in", names)
        .$narrowType<{ name: Name }>(),
    );
});

/** What in the folder has this name. */
export async function takenBy(
  runner: StatementRunner,
  folderId: string,
  name: Name,
): Promise<Holder | undefined> {
  return (await takenNames(runner, folderId, [name])).get(name);
}

export function nameTaken(holder: Holder, name: string): Fault {
  return new Fault("conflict", `A ${holder} named "${name}" already exists in this folder.`, {
    code: "name_taken",
    details: { name },
  });
}
