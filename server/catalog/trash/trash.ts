import { sql } from "kysely";
import { EVERYTHING, type SeenBy, SYSTEM } from "../../domain/callers/caller.ts";
import type { TrashRecord } from "../../domain/trash.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import { createMeasure } from "../lists/measure.ts";
import type { TrashPage, TrashPosition, TrashQuery, TrashTotals } from "../port/trash.ts";
import { trashKey } from "../records/outside-tree.ts";
import type { TrashDeletionsTable, TrashItemsTable } from "../tables/trash.ts";
import { type PlacedItem, placedItems } from "./trash-places.ts";

/** Items read at once where only some may be within a limit. */
const BATCH = 500;

type Row = TrashItemsTable & TrashDeletionsTable;
type PlacedRow = PlacedItem<Row>;

export function createTrashQueries(engine: Pick<Engine, "db" | "all">) {
  const { db } = engine;
  const measure = createMeasure(db);

  /** The next items, latest deletion first. */
  function read(query: TrashQuery): Promise<Row[]> {
    const { undoId, after, limit } = query;
    return db
      .selectFrom("trash_items")
      .innerJoin("trash_deletions", "trash_deletions.undo_id", "trash_items.undo_id")
      .selectAll()
      .$if(undoId !== undefined, (rows) => rows.where("trash_items.undo_id", "=", undoId ?? ""))
      .$if(after !== undefined, (rows) =>
        rows.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple("trash_items.undo_id", "trash_items.subject_id"),
            "<",
            tuple(after?.undoId ?? "", after?.id ?? ""),
          ),
        ),
      )
      .orderBy("trash_items.undo_id", "desc")
      .orderBy("trash_items.subject_id", "desc")
      .limit(limit)
      .execute();
  }

  async function* readWithin(
    caller: SeenBy,
    query: Omit<TrashQuery, "limit">,
    size: number,
  ): AsyncGenerator<PlacedRow[]> {
    for (let { after } = query; ; ) {
      const rows = await read({ ...query, after, limit: size });
      yield await placedItems(engine, caller, rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return;
      after = positionOf(last);
    }
  }

  async function filesOf(rows: readonly PlacedRow[]) {
    const ids = rows.flatMap(({ item }) => (item.kind === "file" ? [item.subject_id] : []));
    const files = new Map<string, FileFields>();
    for (const chunk of chunks(ids)) {
      const found = await db
        .selectFrom("files")
        .select(["id", "size", "visibility", "mime_type as mimeType"])
        .where("id", "in", chunk)
        .execute();
      for (const { id, ...file } of found) files.set(id, file);
    }
    return files;
  }

  /** In one statement, unless folders were not counted yet: there may be a million items. */
  async function totalsOfAll(): Promise<TrashTotals> {
    const row = await db
      .selectFrom("trash_items")
      .select(({ fn }) => [
        fn.countAll<number>().as("items"),
        fn.count<number>("files").as("counted"),
        sql<number>`coalesce(sum(files), 0)`.as("files"),
        sql<number>`coalesce(sum(bytes), 0)`.as("bytes"),
      ])
      .executeTakeFirstOrThrow();
    // Engines may return sums as text, since they can exceed a number.
    const [items, counted] = [Number(row.items), Number(row.counted)];
    let [files, bytes] = [Number(row.files), Number(row.bytes)];
    if (counted < items) {
      const folders = db.selectFrom("trash_items").select("subject_id").where("files", "is", null);
      for (const { subject_id } of await folders.execute()) {
        const inside = await measure(SYSTEM, trashKey(subject_id));
        files += inside.files;
        bytes += inside.bytes;
      }
    }
    return { items, files, bytes };
  }

  return {
    async listTrash(caller: SeenBy, { limit, ...query }: TrashQuery): Promise<TrashPage> {
      const rows: PlacedRow[] = [];
      const size = caller.within === EVERYTHING ? limit + 1 : Math.max(limit + 1, BATCH);
      for await (const batch of readWithin(caller, query, size)) {
        rows.push(...batch);
        if (rows.length > limit) break;
      }
      const page = rows.slice(0, limit);
      const files = await filesOf(page);
      const last = page.at(-1);
      return {
        items: page.flatMap((row) => toTrashRecord(row, files.get(row.item.subject_id)) ?? []),
        next: rows.length > limit && last !== undefined ? positionOf(last.item) : undefined,
      };
    },

    async trashTotals(caller: SeenBy): Promise<TrashTotals> {
      if (caller.within === EVERYTHING) return totalsOfAll();
      const totals = { items: 0, files: 0, bytes: 0 };
      for await (const batch of readWithin(caller, {}, BATCH)) {
        for (const { item } of batch) {
          const { subject_id, files, bytes } = item;
          const counted = files === null || bytes === null ? undefined : { files, bytes };
          const inside = counted ?? (await measure(SYSTEM, trashKey(subject_id)));
          totals.items += 1;
          totals.files += inside.files;
          totals.bytes += inside.bytes;
        }
      }
      return totals;
    },

    /** The next folder that was not counted yet, with what is inside. */
    async countNextTrash(): Promise<CountedTrash | undefined> {
      const row = await db
        .selectFrom("trash_items")
        .select(["subject_id as id", "undo_id as undoId"])
        .where("files", "is", null)
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { files, bytes } = await measure(SYSTEM, trashKey(row.id));
      return { ...row, files, bytes };
    },
  };
}

export interface CountedTrash {
  readonly id: string;
  readonly undoId: string;
  readonly files: number;
  readonly bytes: number;
}

type FileFields = Extract<TrashRecord, { kind: "file" }>["file"];

const positionOf = ({ undo_id, subject_id }: Row): TrashPosition => ({
  undoId: undo_id,
  id: subject_id,
});

/** undefined: the file has left the trash meanwhile. */
function toTrashRecord(
  { item: row, name, key }: PlacedRow,
  file: FileFields | undefined,
): TrashRecord | undefined {
  const shared: Omit<TrashRecord, "kind"> = {
    id: row.subject_id,
    name,
    key,
    undoId: row.undo_id,
    deletedAt: row.deleted_at,
    deletedBy: JSON.parse(row.actor),
    expiresAt: row.expires_at,
  };
  if (row.kind === "folder") {
    return { ...shared, kind: "folder", files: row.files, bytes: row.bytes };
  }
  return file && { ...shared, kind: "file", file };
}
