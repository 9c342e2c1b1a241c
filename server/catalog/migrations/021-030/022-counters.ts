import { sql } from "kysely";
import { chunks } from "../../engine/chunks.ts";
import type { Migration } from "../migration.ts";

/** One table for all counters of requests, instead of four. The ids begin with the kind and the period. */
export const counters: Migration = async (db, { text, integer, tableEnd }) => {
  await db.schema
    .createTable("counters")
    .addColumn("id", text, (column) => column.notNull().primaryKey())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("requests", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("errors", integer, (column) => column.notNull())
    .addColumn("weight", integer, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();

  // 90 days have 2,160 hours.
  const { rows } = await sql<Hour>`select hour, requests, bytes, errors from traffic`.execute(db);
  for (const chunk of chunks(rows, 80)) {
    const hours = chunk.map(({ hour, ...counts }) => ({
      id: `hour ${new Date(hour).toISOString()} `,
      subject: "",
      ...counts,
      weight: 0,
    }));
    await db.insertInto("counters").values(hours).execute();
  }
  for (const statement of [
    `insert into counters (id, subject, requests, bytes, errors, weight)
      select 'hour ' || substr(id, 1, 13) || ':00:00.000Z ' || status, cast(status as text),
        requests, 0, requests, 0 from traffic_errors`,
    `insert into counters (id, subject, requests, bytes, errors, weight)
      select 'key ' || substr(id, 1, 10) || 'T00:00:00.000Z ' || key_id, key_id,
        requests, bytes, errors, 0 from key_traffic`,
    `insert into counters (id, subject, requests, bytes, errors, weight)
      select 'file ' || substr(id, 1, 10) || 'T00:00:00.000Z ' || file_id, file_id,
        requests, bytes, 0, weight from file_traffic`,
    ...["traffic", "traffic_errors", "key_traffic", "file_traffic"].map(
      (table) => `drop table ${table}`,
    ),
  ]) {
    await sql.raw(statement).execute(db);
  }
};

interface Hour {
  readonly hour: number;
  readonly requests: number;
  readonly bytes: number;
  readonly errors: number;
}
