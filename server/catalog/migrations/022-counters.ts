import { type Kysely, sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import type { CountersTable } from "../tables/insight.ts";
import type { Migration } from "./migration.ts";

/** One table for all counters of requests, instead of four. */
export const counters: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("counters")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("period", integer, (column) => column.notNull())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("requests", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("errors", integer, (column) => column.notNull())
    .addColumn("weight", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
  for (const { table, key, toRow } of OLD_TABLES) {
    for await (const rows of allRows(db, table, key)) {
      await db.insertInto("counters").values(rows.map(toRow)).execute();
    }
    await sql`drop table ${sql.table(table)}`.execute(db);
  }
};

interface OldRow {
  readonly id: string;
  readonly hour: number;
  readonly status: number;
  readonly key_id: string;
  readonly file_id: string;
  readonly requests: number;
  readonly bytes: number;
  readonly errors: number;
  readonly weight: number;
}

interface OldTable {
  readonly table: string;
  readonly key: "hour" | "id";
  /** Reads only the columns that the table has. */
  toRow(row: OldRow): CountersTable;
}

const OLD_TABLES: readonly OldTable[] = [
  {
    table: "traffic",
    key: "hour",
    toRow: ({ hour, requests, bytes, errors }) =>
      newRow("hour", { period: hour, subject: "", requests, bytes, errors, weight: 0 }),
  },
  {
    table: "traffic_errors",
    key: "id",
    toRow: ({ hour, status, requests }) =>
      newRow("hour", {
        period: hour,
        subject: String(status),
        requests,
        bytes: 0,
        errors: requests,
        weight: 0,
      }),
  },
  {
    table: "key_traffic",
    key: "id",
    toRow: ({ id, key_id, requests, bytes, errors }) =>
      newRow("key", { period: dayOf(id), subject: key_id, requests, bytes, errors, weight: 0 }),
  },
  {
    table: "file_traffic",
    key: "id",
    toRow: ({ id, file_id, requests, bytes, weight }) =>
      newRow("file", { period: dayOf(id), subject: file_id, requests, bytes, errors: 0, weight }),
  },
];

function newRow(kind: string, row: Omit<CountersTable, "id">): CountersTable {
  return { id: `${kind} ${new Date(row.period).toISOString()} ${row.subject}`, ...row };
}

/** The start of the day with which an id begins. */
const dayOf = (id: string): number => Date.parse(id.slice(0, 10));

/** Rows with 7 parameters each: engines limit the parameters of a statement. */
const BATCH = 70;

async function* allRows(
  db: Kysely<Schema>,
  table: string,
  key: "hour" | "id",
): AsyncGenerator<OldRow[]> {
  for (let after: string | number = key === "id" ? "" : -1; ; ) {
    const { rows }: { rows: OldRow[] } = await sql<OldRow>`select * from ${sql.table(table)}
      where ${sql.ref(key)} > ${after} order by ${sql.ref(key)} limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last[key];
  }
}
