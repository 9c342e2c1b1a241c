import type { ExpressionBuilder } from "kysely";
import { sql } from "kysely";
import type { FileRecord, FolderRecord, PeekedFolder } from "../../rules/records.ts";
import { giveWay } from "../../rules/time-slices.ts";
import { chunks } from "../chunks.ts";
import type { Engine } from "../engine.ts";
import type { Within } from "../port/file-tree.ts";
import { compiledForItems } from "../prepared-statement.ts";
import type { Schema } from "../schema.ts";
import { walk } from "./file-walk.ts";
import { isInFolders } from "./is-in-folders.ts";
import { createListFolders } from "./list-folders.ts";
import { isLive } from "./outside-tree.ts";
import { fileColumns, fileKey } from "./select-records.ts";

/** Folders in one statement: a longer one would keep other requests waiting. */
const FOLDERS_TOGETHER = 100;
/** The files of a peek, by their place in the folder. */
const PLACES = [0, 1, 2, 3] as const;

export function createListFoldersWithPeek({ db, all }: Pick<Engine, "db" | "all">) {
  const listFolders = createListFolders(db);

  return async function* listFoldersWithPeek(
    parentId: string,
    within: Within = [],
  ): AsyncGenerator<PeekedFolder[]> {
    const limits = within.map((id) => ({ id }));
    const selectPeeks = peeksBetween(limits.length);
    for await (const batch of listFolders(parentId, within)) {
      for (const folders of chunks(batch, FOLDERS_TOGETHER)) {
        const [from, to] = [folders[0]?.name ?? "", folders.at(-1)?.name ?? ""];
        const files = await all(selectPeeks, { items: limits, shared: { parentId, from, to } });
        const peeks = Map.groupBy(files, ({ folderId }) => folderId);
        yield folders.map((folder) => ({ ...folder, peek: peeks.get(folder.id) ?? [] }));
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

/** The first files of the subfolders with names in a range. */
const peeksBetween = compiledForItems<{ id: string }, NameRange, FileRecord>((db, limits, param) =>
  db
    .selectFrom("folders")
    .crossJoin("files")
    .select([...fileColumns, fileKey])
    .where("folders.parent_id", "=", param("parentId"))
    .where("folders.name", ">=", param("from"))
    .where("folders.name", "<=", param("to"))
    .where(isLive)
    .where(isInFolders(limits.map((limit) => limit("id"))))
    // Found by id, so that no engine reads all files of a folder.
    .where((eb) =>
      eb(
        "files.id",
        "in",
        PLACES.map((place) => idAt(eb, place)),
      ),
    )
    .orderBy(walk({ orderBy: "naturalName", direction: "ASC" })),
);

/** The id of the folder's file at this place by natural name; null: it has fewer. */
const idAt = ({ selectFrom }: ExpressionBuilder<Schema, "folders" | "files">, place: number) =>
  selectFrom("files as own")
    .select("own.id")
    .whereRef("own.folder_id", "=", "folders.id")
    .orderBy("own.natural_name")
    .orderBy("own.id")
    .limit(1)
    .offset(sql.lit(place));
