import { afterAll, beforeAll, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { expectFault } from "../suite/catalog.fixture.ts";
import { untilReady } from "./frozen-server.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type PostgresServer, startPostgresServer } from "./server.fixture.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server.stop());

async function setReadOnly(value: "on" | "off"): Promise<void> {
  await server.run(server.url, `alter system set default_transaction_read_only = ${value}`);
  await server.run(server.url, "select pg_reload_conf()");
  await Bun.sleep(300);
}

test("a database that becomes read-only refuses changes and is not ready", async () => {
  const url = await server.fresh();
  const events: string[] = [];
  const log = ({ event }: { readonly event: string }): void => void events.push(event);
  const catalog = await openPostgresCatalog({ url, log });
  events.length = 0;
  const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("before"));
  await setReadOnly("on");
  for (let tries = 0; tries < 3; tries += 1) {
    await expectFault(
      catalog.createFolder(COMMAND_EVERYWHERE, parseKey("refused")),
      "unavailable",
      "read-only",
    );
    await expectFault(catalog.ping(), "unavailable", "read-only");
  }
  expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(folder);
  expect(events).toEqual(["read-only"]);
  await expect(openPostgresCatalog({ url })).rejects.toThrow(
    "It is read-only: default_transaction_read_only is on.",
  );
  await setReadOnly("off");
  await untilReady(catalog);
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
  expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("refused"))).toBeUndefined();
  await catalog.close();
}, 60_000);

test("connections that began read-only are replaced", async () => {
  const url = await server.fresh();
  const database = new URL(url).pathname.slice(1);
  const catalog = await openPostgresCatalog({ url });
  await server.run(url, `alter database ${database} set default_transaction_read_only = on`);
  await server.run(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name like 'holdall%'",
  );
  await Bun.sleep(300);
  await expectFault(
    catalog.createFolder(COMMAND_EVERYWHERE, parseKey("refused")),
    "unavailable",
    "read-only",
  );
  await expectFault(catalog.ping(), "unavailable", "read-only");
  await server.run(
    url,
    `begin read write; alter database ${database} reset default_transaction_read_only; commit`,
  );
  await untilReady(catalog);
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("after"));
  await catalog.close();
}, 60_000);
