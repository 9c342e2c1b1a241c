import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import type { FreezeEvent } from "../../rules/circuit-breaker.ts";
import { parseKey } from "../../rules/name.ts";
import type { Catalog } from "../port/catalog.ts";
import { createUploader, expectFault } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { type PostgresServer, startPostgresServer } from "./server.fixture.ts";

/** 4.5 seconds, and more for a busy machine. */
const IN_TIME_MS = 8000;

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

  /** The requests must fail before they would time out, and those that follow at once. */
  async function expectFailures(requests: readonly (() => unknown)[]): Promise<void> {
    const from = performance.now();
    await Promise.all(
      requests.map((request) => expectFault((async () => request())(), "unavailable")),
    );
    expect(performance.now() - from).toBeLessThan(IN_TIME_MS);
  }

  test("reads and changes fail in time, and work again when it continues", async () => {
    const folder = await catalog.createFolder(parseKey("kept"));
    server.freeze();
    try {
      const folders = Array.from({ length: 40 }, (_, n) => parseKey(`new-${n}`));
      await expectFailures([
        ...folders.map((key) => () => catalog.createFolder(key)),
        ...folders.map((key) => () => catalog.folderByKey(key)),
        () => catalog.ping(),
      ]);
      await expectFailures([() => catalog.ping(), () => catalog.createFolder(parseKey("later"))]);
    } finally {
      server.thaw();
    }
    await untilReady(catalog);
    expect(await catalog.folderById(folder.id)).toEqual(folder);
    await createUploader(catalog).addOne("after");
    expect(events).toEqual(["frozen", "answers"]);
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
