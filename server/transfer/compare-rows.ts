import {
  type CatalogRows,
  PERSISTENT_TABLES,
  type PersistentTable,
  type Row,
} from "../catalog/move-port.ts";

/** How many rows of each table both have. */
export type RowCounts = Readonly<Record<PersistentTable, number>>;

/** What both catalogs have alike, row by row; the first table in which they differ. */
export async function compareRows(
  one: CatalogRows,
  other: CatalogRows,
): Promise<RowCounts | { readonly differs: PersistentTable }> {
  const counts: Record<PersistentTable, number> = {
    ...{ folders: 0, files: 0, accounts: 0, sessions: 0 },
    ...{ api_keys: 0, settings: 0, activity: 0, traffic: 0 },
  };
  for (const table of PERSISTENT_TABLES) {
    const theirs = each(other.rows(table));
    for await (const row of each(one.rows(table))) {
      const { value } = await theirs.next();
      if (value === undefined || textOf(value) !== textOf(row)) {
        await theirs.return(undefined);
        return { differs: table };
      }
      counts[table] += 1;
    }
    if ((await theirs.next()).done !== true) return { differs: table };
  }
  return counts;
}

async function* each(batches: AsyncIterable<Row[]>): AsyncGenerator<Row, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

/** One text for what is the same. PostgreSQL cannot hold U+0000 and keeps U+FFFD in its place. */
function textOf(row: Row): string {
  const columns = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(columns).replaceAll("\\u0000", "\uFFFD");
}
