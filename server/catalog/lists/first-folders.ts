import type { Expression, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { ListPosition, Page } from "../../domain/records.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { createQueriesWithin } from "../records/find-within.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { columns, isPast, matches, walk } from "./file-walk.ts";
import type { FilesWithin } from "./files-within.ts";
import { walkFolders } from "./walk-below.ts";

interface FirstFile extends ListPosition {
  readonly folderId: string;
}

/** How often to start again because the top folder was renamed or moved meanwhile. */
const MAX_TRIES = 5;

/**
 * The ids of at most `count` folders: those whose first files, from a position on, come first in the
 * order of a page. Folders without such a file are left out.
 */
export function createFirstFolders({ db, first }: Pick<Engine, "db" | "first">) {
  const { topFolder } = createQueriesWithin({ first });

  async function find(
    files: FilesWithin,
    page: Page,
    count: number,
    tries: number,
  ): Promise<string[]> {
    const top = await topFolder(files.within);
    if (top === undefined) return [];
    let best: FirstFile[] = [];
    let rest: Expression<SqlBool> = sql`folders.id = ${top.id}`;
    for await (const range of walkFolders(db, top.key)) {
      rest = sql`(${rest} or ${range})`;
      const found = await firstFiles(db, files, page, rest, count);
      best = best.length === 0 ? found : [...best, ...found].sort(inOrder(page)).slice(0, count);
      rest = sql`1 = 0`;
    }
    const now = await topFolder(files.within);
    if (now?.key !== top.key && tries < MAX_TRIES) return find(files, page, count, tries + 1);
    return best.map(({ folderId }) => folderId);
  }

  return (files: FilesWithin, page: Page, count: number) => find(files, page, count, 1);
}

/** In the order of the page. */
function firstFiles(
  db: Kysely<Schema>,
  { within, name }: FilesWithin,
  page: Page,
  range: Expression<SqlBool>,
  count: number,
): Promise<FirstFile[]> {
  const column = sql.ref<string | number>(columns[page.orderBy]);
  const firstIn = <T>(wanted: Expression<T>) =>
    sql<T | null>`(select ${wanted} from files where files.folder_id = folders.id and ${matches(name === undefined ? {} : { name })} and ${isPast(page, page.after)} order by ${walk(page)} limit 1)`;
  const towards = sql.raw(page.direction === "ASC" ? "asc" : "desc");
  return db
    .selectFrom((from) =>
      from
        .selectFrom("folders")
        .select([
          "folders.id as folderId",
          (page.orderBy === "createdAt" ? sql<null>`null` : firstIn(column)).as("value"),
          firstIn(sql.ref<string>("files.id")).as("id"),
        ])
        .where(range)
        .where(isInFolders(within))
        .as("heads"),
    )
    .select(["heads.folderId", "heads.value", "heads.id"])
    .where("heads.id", "is not", null)
    .$narrowType<{ id: string }>()
    .orderBy(sql`heads.value ${towards}, heads.id ${towards}`)
    .limit(count)
    .execute();
}

/** As the engines order: text by its bytes. */
function inOrder({ direction }: Page) {
  const sign = direction === "ASC" ? 1 : -1;
  return (one: FirstFile, other: FirstFile): number =>
    sign * (compare(one.value, other.value) || compare(one.id, other.id));
}

function compare(one: ListPosition["value"], other: ListPosition["value"]): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(`${one ?? ""}`), Buffer.from(`${other ?? ""}`));
}
