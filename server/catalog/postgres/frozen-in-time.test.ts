import { describe, expect, test } from "bun:test";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { createUploader, expectFault } from "../suite/catalog.fixture.ts";
import { untilReady, useFreezableServer } from "./frozen-server.fixture.ts";

/** 4.5 seconds, and more for a busy machine. */
const IN_TIME_MS = 8000;

describe.skipIf(isMissing("Linux", process.platform === "linux"))("a frozen server", () => {
  const fixture = useFreezableServer();

  /** The requests must fail before they would time out, and those that follow at once. */
  async function expectFailures(requests: readonly (() => unknown)[]): Promise<void> {
    const from = performance.now();
    await Promise.all(
      requests.map((request) => expectFault((async () => request())(), "unavailable")),
    );
    expect(performance.now() - from).toBeLessThan(IN_TIME_MS);
  }

  test("reads and changes fail in time, and work again when it continues", async () => {
    const { server, catalog, events } = fixture();
    const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("kept"));
    server.freeze();
    try {
      const folders = Array.from({ length: 40 }, (_, n) => parseKey(`new-${n}`));
      await expectFailures([
        ...folders.map((key) => () => catalog.createFolder(COMMAND_EVERYWHERE, key)),
        ...folders.map((key) => () => catalog.folderByKey(COMMAND_EVERYWHERE, key)),
        () => catalog.ping(),
      ]);
      await expectFailures([
        () => catalog.ping(),
        () => catalog.createFolder(COMMAND_EVERYWHERE, parseKey("later")),
      ]);
    } finally {
      server.thaw();
    }
    await untilReady(catalog);
    expect(await catalog.folderById(COMMAND_EVERYWHERE, folder.id)).toEqual(folder);
    await createUploader(catalog).addOne("after");
    expect(events).toEqual(["frozen", "answers"]);
  });
});
