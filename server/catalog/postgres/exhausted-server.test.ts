import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client } from "pg";
import { eventually } from "../../../test/expectations.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { expectFault } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type PostgresServer, startPostgresServer } from "./server.fixture.ts";

const LIMIT = 4;
const MAX_WAIT_MS = 5000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server.stop());

/** The address of an empty schema, for a user who may have few connections. */
async function limitedUrl(): Promise<string> {
  const url = new URL(await server.fresh());
  const schema = url.searchParams.get("options")?.split("=").at(-1) ?? "";
  await server.run(
    url.href,
    `create role limited login password 'limited' connection limit ${LIMIT}`,
  );
  await server.run(url.href, `grant all on schema ${schema} to limited`);
  url.username = "limited";
  url.password = "limited";
  return url.href;
}

test("requests fail within 5 s while the server has no free connection", async () => {
  const url = await limitedUrl();
  const catalog = await openPostgresCatalog({ url, onFreeze: () => {} });
  await server.run(server.url, CLOSE_CONNECTIONS);
  const others = Array.from({ length: LIMIT }, () => new Client({ connectionString: url }));
  await Promise.all(others.map((other) => other.connect()));
  const pids = (
    await Promise.all(others.map((other) => other.query("select pg_backend_pid()")))
  ).map(({ rows }) => rows[0].pg_backend_pid);

  const timed = async (work: Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await expectFault(work, "unavailable");
    return performance.now() - from;
  };
  const waits = await Promise.all([
    timed(catalog.ping()),
    ...Array.from({ length: 30 }, (_, index) => [
      timed(Promise.resolve(catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(`read ${index}`)))),
      timed(catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`made ${index}`))),
    ]).flat(),
  ]);
  expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MS);

  await Promise.all(others.map((other) => other.end()));
  // The server counts a connection until its process has ended.
  await eventually(
    "the other connections have ended",
    async () => (await server.run(server.url, OPEN_PROCESSES, [pids])).length === 0,
  );
  const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
  expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(folder);
  await catalog.close();
}, 60_000);

test("requests fail within 5 s while all connections of the process are in use", async () => {
  const url = await server.fresh();
  const catalog = await openPostgresCatalog({ url, onFreeze: () => {}, connections: 2 });
  const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("locked"));
  const lock = server.run(
    url,
    `begin; select 1 from folders where id = '${folder.id}' for update; select pg_sleep(7); commit`,
  );
  await Bun.sleep(300);
  const from = performance.now();
  const waitOf = (key: string): Promise<number> =>
    catalog.createFolder(COMMAND_EVERYWHERE, parseKey(key)).then(
      () => 0,
      () => performance.now() - from,
    );
  const waits = await Promise.all(
    Array.from({ length: 20 }, (_, index) => waitOf(`locked/${index}`)),
  );
  expect(waits.filter((wait) => wait > 0).length).toBe(18);
  expect(Math.max(...waits)).toBeLessThan(MAX_WAIT_MS);
  await lock;
  await catalog.close();
}, 60_000);

const OPEN_PROCESSES = "select 1 from pg_stat_activity where pid = any($1)";
const CLOSE_CONNECTIONS =
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'limited'";
