import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import type { Name } from "../../domain/records.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems, type StatementRunner } from "../engine/prepared-statement.ts";
import { isLasting } from "./outside-tree.ts";

export type Holder = "file" | "folder";

/** What has a name in a folder. Files and folders share one namespace. */
export interface NameHolder {
  readonly id: string;
  readonly name: Name;
  readonly holder: Holder;
  /** 1: the name is free, but the record of the file is still there. */
  readonly isEnded: 0 | 1;
}

export async function holdersOf(
  runner: StatementRunner,
  folderId: string,
  names: readonly Name[],
): Promise<NameHolder[]> {
  const holders: NameHolder[] = [];
  for (const chunk of paddedChunks(names)) {
    const items = chunk.map((name) => ({ name }));
    holders.push(...(await runner.all(selectTaken(items.length), { items, shared: { folderId } })));
  }
  return holders;
}

/** Which of the names are taken in the folder, and by what. A change that takes names uses `claimNames`. */
export async function takenNames(
  runner: StatementRunner,
  folderId: string,
  names: readonly Name[],
): Promise<Map<string, Holder>> {
  const holders = await holdersOf(runner, folderId, names);
  return new Map(
    holders.filter(({ isEnded }) => isEnded === 0).map(({ name, holder }) => [name, holder]),
  );
}

const selectTaken = preparedForItems<{ name: Name }, { folderId: string }, NameHolder>(
  (db, items, param) => {
    const names = items.map((item) => item("name"));
    return db
      .selectFrom("files")
      .select([
        "id",
        "name",
        sql<Holder>`'file'`.as("holder"),
        sql<0 | 1>`case when ${isLasting} then 0 else 1 end`.as("isEnded"),
      ])
      .where("folder_id", "=", param("folderId"))
      .where("name", "in", names)
      .unionAll(
        db
          .selectFrom("folders")
          .select(["id", "name", sql<Holder>`'folder'`.as("holder"), sql<0 | 1>`0`.as("isEnded")])
          .where("parent_id", "=", param("folderId"))
          .where("name", "in", names)
          .$narrowType<{ name: Name }>(),
      );
  },
);

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
