import { describe, expect, test } from "bun:test";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { untilReady, useFreezableServer } from "./frozen-server.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";

describe.skipIf(isMissing("Linux", process.platform === "linux"))("a frozen server", () => {
  const fixture = useFreezableServer();

  test("a statement that waits for a lock is not cut while the server replies", async () => {
    const { server, url, catalog, events } = fixture();
    const lock = server.run(url, "begin; lock table folders; select pg_sleep(8); commit");
    await Bun.sleep(500);
    const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("slow"));
    await lock;
    expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(folder);
    expect(events).toEqual([]);
  });

  test("a start waits until the server replies again", async () => {
    const { server, url } = fixture();
    server.freeze();
    const opening = openPostgresCatalog({ url, onFreeze: () => {} });
    // Longer than a request waits.
    const thawing = Bun.sleep(6000).then(server.thaw);
    const opened = await opening;
    await thawing;
    await opened.createFolder(COMMAND_EVERYWHERE, parseKey("after-the-start"));
    await opened.close();
  });

  test("each change is made or was refused, however often the server freezes", async () => {
    const { server, catalog } = fixture();
    const made = new Set<string>();
    const refused = new Set<string>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let n = 0; !isOver; n += 1) {
        const key = parseKey(`${client}-${n}`);
        await catalog.createFolder(COMMAND_EVERYWHERE, key).then(
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
    for (const key of made)
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(key))).toBeDefined();
  });
});
