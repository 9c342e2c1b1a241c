import { expect, test } from "bun:test";
import { postgresServer } from "./server.fixture.ts";
import { createSessionPool } from "./session-pool.ts";

test("a connection sets its timeouts after connecting", async () => {
  const url = await (await postgresServer()).fresh();
  const pool = createSessionPool({ url, size: 1, acquireTimeoutMs: 30_000 });
  const session = await pool.acquire();
  const { rows } = await session.run({
    text: "select name, setting, source from pg_settings where name like '%_timeout' and source <> 'default' and name <> 'deadlock_timeout' order by name",
  });
  session.release();
  await pool.close();
  // Startup parameters would have the source "client": PgBouncer rejects them.
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "20000", source: "session" },
    { name: "lock_timeout", setting: "10000", source: "session" },
    { name: "statement_timeout", setting: "30000", source: "session" },
  ]);
});
