import type { SeenBy } from "../../domain/callers/caller.ts";
import type { BranchingFolder, FolderRecord } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledOnce } from "../engine/prepared-statement.ts";
import { createListFolders } from "./list-folders.ts";

/** Folders in one statement: a longer one would keep other requests waiting. */
const FOLDERS_TOGETHER = 500;

export function createListFoldersWithFolders({ db, all }: Pick<Engine, "db" | "all">) {
  const listFolders = createListFolders(db);

  return async function* listFoldersWithFolders(
    caller: SeenBy,
    parentId: string,
  ): AsyncGenerator<BranchingFolder[]> {
    for await (const batch of listFolders(caller, parentId)) {
      for (const folders of chunks(batch, FOLDERS_TOGETHER)) {
        const [from, to] = [folders[0]?.name ?? "", folders.at(-1)?.name ?? ""];
        const parents = await all(parentsBetween, { parentId, from, to });
        const ids = new Set(parents.map(({ id }) => id));
        yield folders.map((folder) => ({ ...folder, hasFolders: ids.has(folder.id) }));
        await giveWay();
      }
    }
  };
}

interface NameRange {
  readonly parentId: string;
  readonly from: FolderRecord["name"];
  readonly to: FolderRecord["name"];
}

/** The subfolders with names in a range that have subfolders. Who sees a folder sees these, too. */
const parentsBetween = compiledOnce<NameRange, { id: string }>((db, param) =>
  db
    .selectFrom("folders")
    .select("folders.id")
    .where("folders.parent_id", "=", param("parentId"))
    .where("folders.name", ">=", param("from"))
    .where("folders.name", "<=", param("to"))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("folders as below")
          .select("below.id")
          .whereRef("below.parent_id", "=", "folders.id"),
      ),
    ),
);
