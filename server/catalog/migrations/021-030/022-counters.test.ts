import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../../port/catalog.ts";
import { openPostgresCatalog } from "../../postgres/postgres-catalog.ts";
import { postgresServer } from "../../postgres/server.fixture.ts";
import { openSqliteCatalog } from "../../sqlite/sqlite-catalog.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** More rows than one statement can insert. */
const KEYS = 1234;

const folder = mkdtempSync(join(tmpdir(), "holdall-counters-"));
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = (columns: string) => columns.replaceAll(/(\w+)/g, "$1 bigint not null");

/** Removes what migrations after version 21 add in SQLite alone: the count of changes of credentials. */
const credentialVersion = [
  ...["accounts", "api_keys", "sessions"].flatMap((table) =>
    ["insert", "update", "delete"].map((event) => `drop trigger ${table}_${event}`),
  ),
  "drop table credential_version",
];

/** Turns the schema back into that of version 21, and adds counts. */
const version21 = [
  "drop table counters",
  "drop table webhooks",
  "drop table deliveries",
  "drop table fetches",
  "drop table quotas",
  "drop table identities",
  "drop table grants",
  "drop table invites",
  ...["role", "disabled_at", "groups"].map((name) => `alter table accounts drop column ${name}`),
  "alter table sessions drop column method",
  "alter table sessions drop column groups",
  "drop index api_keys_account_id",
  "alter table api_keys drop column account_id",
  "drop table undo_steps",
  "drop table former_keys",
  "alter table folders drop column bucket_settings",
  "alter table files drop column kept_public",
  "drop index files_expires_at",
  "alter table files drop column expires_at",
  "alter table folders drop column expire_after",
  "alter table folders drop column inherited_expire_after",
  ...["uploads", "batches", "batch_members", "links"].map(
    (table) => `alter table ${table} drop column lifetime`,
  ),
  "alter table links drop column delete_at_end",
  "delete from migrations where version >= 22",
  `create table traffic (hour bigint not null primary key, ${numbers("requests, bytes, errors")})`,
  `create table traffic_errors (id text not null primary key, ${numbers("hour, status, requests")})`,
  `create table key_traffic (id text not null primary key, key_id text not null, ${numbers("requests, bytes, errors")})`,
  `create table file_traffic (id text not null primary key, file_id text not null, ${numbers("requests, bytes, weight")})`,
  // The first hour has an error without a status: older releases counted errors only in total.
  `insert into traffic values (0, 1, 2, 1), (${HOUR}, ${2 ** 40}, ${2 ** 52}, 4)`,
  `insert into traffic_errors values ('1970-01-01T01 404', ${HOUR}, 404, 1), ('1970-01-01T01 503', ${HOUR}, 503, 3)`,
  `insert into key_traffic values ${Array.from({ length: KEYS }, (_, n) => `('1970-01-02 key ${n}', 'key ${n}', 3, ${n}, 1)`).join(", ")}`,
  "insert into key_traffic values ('1970-01-03 key 0', 'key 0', 4, 0, 0)",
  "insert into file_traffic values ('1970-01-02 a file', 'a file', 7, 70, 5), ('1970-01-03 a file', 'a file', 1, 2, 1)",
];

async function expectCounts(catalog: Catalog): Promise<void> {
  expect(await catalog.counts("hour", 0)).toEqual([
    { period: 0, subject: "", requests: 1, bytes: 2, errors: 1 },
    { period: HOUR, subject: "", requests: 2 ** 40, bytes: 2 ** 52, errors: 4 },
    { period: HOUR, subject: "404", requests: 1, bytes: 0, errors: 1 },
    { period: HOUR, subject: "503", requests: 3, bytes: 0, errors: 3 },
  ]);
  const keys = await catalog.totals("key", DAY);
  expect(keys).toHaveLength(KEYS);
  expect(keys[0]).toEqual({ subject: "key 0", requests: 7, bytes: 0, errors: 1 });
  expect(keys.find(({ subject }) => subject === "key 1233")?.bytes).toBe(1233);
  expect(await catalog.counts("file", 0)).toEqual([
    { period: DAY, subject: "a file", requests: 7, bytes: 70, errors: 0 },
    { period: 2 * DAY, subject: "a file", requests: 1, bytes: 2, errors: 0 },
  ]);
  // New counts are added to the rows of the old ones.
  await catalog.addCounts("file", [{ period: DAY, subject: "a file", requests: 1, bytes: 0 }]);
  expect(await catalog.totals("file", 0)).toMatchObject([{ requests: 9 }]);
}

test("keeps the counts of an older catalog in SQLite", async () => {
  const path = join(folder, "catalog.sqlite");
  await (await openSqliteCatalog({ path, exclusive: false })).close();
  const database = new Database(path);
  for (const statement of [...credentialVersion, ...version21]) database.run(statement);
  database.close();

  const catalog = await openSqliteCatalog({ path, exclusive: false });
  await expectCounts(catalog);
  await catalog.close();
  const after = new Database(path, { readonly: true });
  const left = after.query("select name from sqlite_schema where name like '%traffic%'").all();
  const weights = after.query("select weight from counters where weight > 0 order by id").values();
  after.close();
  expect(left).toEqual([]);
  expect(weights).toEqual([[5], [1]]);
});

test("keeps the counts of an older catalog in PostgreSQL", async () => {
  const server = await postgresServer();
  const url = await server.fresh();
  await (await openPostgresCatalog({ url })).close();
  for (const statement of version21) {
    await server.run(url, statement.replaceAll("id text", 'id text collate "C"'));
  }

  const catalog = await openPostgresCatalog({ url });
  await expectCounts(catalog);
  await catalog.close();
});
