import type { ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import type { FileRecord, FolderRecord, PeekedFolder } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, NOW } from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { isLive } from "../records/outside-tree.ts";
import { fileColumns, fileKey } from "../records/select-records.ts";
import { walk } from "./file-walk.ts";
import { createListFolders } from "./list-folders.ts";

/** Folders in one statement: a longer one would keep other requests waiting. */
const FOLDERS_TOGETHER = 100;
/** The files of a peek, by their place in the folder. */
const PLACES = [0, 1, 2, 3] as const;

export function createListFoldersWithPeek({ db, all }: Pick<Engine, "db" | "all">) {
  const listFolders = createListFolders(db);

  return async function* listFoldersWithPeek(
    caller: SeenBy,
    parentId: string,
  ): AsyncGenerator<PeekedFolder[]> {
    const limits = limitsOf(caller.within).map((id) => ({ id }));
    const selectPeeks = peeksBetween(limits.length);
    for await (const batch of listFolders(caller, parentId)) {
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
    .where(sql<SqlBool>`(own.expires_at is null or own.expires_at > ${NOW})`)
    .orderBy("own.natural_name")
    .orderBy("own.id")
    .limit(1)
    .offset(sql.lit(place));
