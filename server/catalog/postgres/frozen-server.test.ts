import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import type { FreezeEvent } from "../../rules/circuit-breaker.ts";
import { parseKey } from "../../rules/name.ts";
import type { Catalog } from "../port/catalog.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type PostgresServer, startPostgresServer } from "./server.fixture.ts";

describe.skipIf(isMissing("Linux", process.platform === "linux"))("a frozen server", () => {
  let server: PostgresServer;
  let url: string;
  let catalog: Catalog;
  let events: FreezeEvent["event"][];

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    events = [];
    url = await server.fresh();
    catalog = await openPostgresCatalog({
      url,
      onFreeze: ({ event }) => events.push(event),
    });
  });
  afterEach(() => catalog.close());

  test("a statement that waits for a lock is not cut while the server replies", async () => {
    const lock = server.run(url, "begin; lock table folders; select pg_sleep(8); commit");
    await Bun.sleep(500);
    const folder = await catalog.createFolder(parseKey("slow"));
    await lock;
    expect(await catalog.folderById(folder.id)).toEqual(folder);
    expect(events).toEqual([]);
  });

  test("each change is made or was refused, however often the server freezes", async () => {
    const made = new Set<string>();
    const refused = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let n = 0; !isOver; n += 1) {
        const key = parseKey(`${client}-${n}`);
        await catalog.createFolder(key).then(
          () => made.add(key),
          () => refused.add(key),
        );
        await Bun.sleep(5);
      }
    });
    for (let round = 0; round < 2; round += 1) {
      await Bun.sleep(300);
      const before = refused.size;
      server.freeze();
      try {
        for (let tries = 0; refused.size < before + 8 && tries < 1000; tries += 1)
          await Bun.sleep(20);
      } finally {
        server.thaw();
      }
      await untilReady(catalog);
    }
    isOver = true;
    await Promise.all(clients);
    expect(refused.size).toBeGreaterThanOrEqual(16);
    for (const key of made) expect(await catalog.folderByKey(parseKey(key))).toBeDefined();
  });
});

async function untilReady(catalog: Catalog): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const isReady = await catalog.ping().then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await Bun.sleep(50);
  }
  throw new Error("The catalog does not work again.");
}
