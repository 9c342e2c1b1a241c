import {
  type CatalogRows,
  PERSISTENT_TABLES,
  type PersistentTable,
  type Row,
} from "../catalog/move-port.ts";

/** The number of rows of each table. */
export type RowCounts = Readonly<Record<PersistentTable, number>>;

/** Compares two catalogs row by row. Returns the first table in which they differ, if any. */
export async function compareRows(
  one: CatalogRows,
  other: CatalogRows,
): Promise<RowCounts | { readonly differs: PersistentTable }> {
  const counts: Record<PersistentTable, number> = {
    folders: 0,
    files: 0,
    accounts: 0,
    identities: 0,
    grants: 0,
    invites: 0,
    sessions: 0,
    passkeys: 0,
    used_challenges: 0,
    api_keys: 0,
    links: 0,
    webhooks: 0,
    deliveries: 0,
    settings: 0,
    activity: 0,
    counters: 0,
    trash_deletions: 0,
    trash_items: 0,
    trash_folders: 0,
    versions: 0,
    undo_steps: 0,
    former_keys: 0,
    quotas: 0,
  };
  for (const table of PERSISTENT_TABLES) {
    const others = eachRow(other.rows(table));
    for await (const row of eachRow(one.rows(table))) {
      const { value } = await others.next();
      if (value === undefined || textOf(value) !== textOf(row)) {
        await others.return(undefined);
        return { differs: table };
      }
      counts[table] += 1;
    }
    if ((await others.next()).done !== true) return { differs: table };
  }
  return counts;
}

async function* eachRow(batches: AsyncIterable<Row[]>): AsyncGenerator<Row, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

/** Equal rows have equal text. PostgreSQL cannot store U+0000 and has U+FFFD in its place. */
function textOf(row: Row): string {
  const columns = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(columns).replaceAll("\\u0000", "\uFFFD");
}
