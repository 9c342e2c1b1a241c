import type { Kysely, RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import type { FilledColumn } from "../migrations/migration.ts";

/**
 * The table is written anew once, and its indexes are built whole. Updates of all rows would take several
 * times as long and leave the table and its indexes twice as large.
 */
export const addFilledColumn: FilledColumn = async (db, table, column, batches) => {
  await run(db, sql`create table new_values (id text collate "C" primary key, value text)`);
  for await (const pairs of batches) {
    const json = JSON.stringify(Object.fromEntries(pairs));
    await run(
      db,
      sql`insert into new_values select key, value from json_each_text(cast(${json} as json))`,
    );
  }
  await run(db, sql`analyze new_values`);
  await run(
    db,
    sql`create function new_value_of(wanted text) returns text stable language sql
      as 'select value from new_values where id = wanted'`,
  );
  const [name, added] = [sql.table(table), sql.ref(column)];
  await run(db, sql`alter table ${name} add column ${added} text`);
  await run(
    db,
    sql`alter table ${name}
      alter column ${added} type text collate "C" using new_value_of(id),
      alter column ${added} set not null`,
  );
  await run(db, sql`drop function new_value_of`);
  await run(db, sql`drop table new_values`);
};

const run = (db: Kysely<Schema>, statement: RawBuilder<unknown>): Promise<unknown> =>
  statement.execute(db);
