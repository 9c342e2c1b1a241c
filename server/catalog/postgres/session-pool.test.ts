import { expect, test } from "bun:test";
import { postgresServer } from "./server.fixture.ts";
import { createSessionPool } from "./session-pool.ts";

test("a connection has its limits, and asks for none of them while it is made", async () => {
  const url = await (await postgresServer()).fresh();
  const pool = createSessionPool({ url, size: 1, patience: 30_000 });
  const session = await pool.acquire();
  const { rows } = await session.run({
    text: "select name, setting, source from pg_settings where name like '%_timeout' and source <> 'default' and name <> 'deadlock_timeout' order by name",
  });
  session.release();
  await pool.close();
  // What came with the connection would have the source "client": PgBouncer refuses that.
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "20000", source: "session" },
    { name: "lock_timeout", setting: "10000", source: "session" },
    { name: "statement_timeout", setting: "30000", source: "session" },
  ]);
});
