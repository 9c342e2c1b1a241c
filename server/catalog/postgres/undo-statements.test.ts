import { expect, test } from "bun:test";
import { parseName } from "../../domain/names/name.ts";
import { DAY, folderAt, tick } from "../suite/catalog.fixture.ts";
import { AGENT, undoing } from "../suite/undo.fixture.ts";
import { createCommitCutter } from "./commit-cutter.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

const FILES = 100;

test("an undo of changes of several kinds that alternate takes a few statements", async () => {
  const proxy = await createCommitCutter(await (await postgresServer()).fresh());
  const catalog = await openPostgresCatalog({ url: proxy.url });
  const { add, uploader, undo } = undoing(catalog);
  const names = Array.from({ length: FILES }, (_, at) => `${at}`);
  const files = await uploader.add(names, { folder: "in" });
  await add("away/x");
  const away = await folderAt(catalog, "away");
  await tick();
  const since = catalog.now();
  for (const [at, { id, name }] of files.entries()) {
    if (at % 4 === 0) await catalog.changeFile(AGENT, { id, visibility: "private" });
    if (at % 4 === 1) {
      await catalog.changeFile(AGENT, { id, name: parseName(`m-${name}`), folderId: away.id });
    }
    if (at % 4 === 2) await catalog.trashFiles(AGENT, { ids: [id], keepMs: DAY });
    if (at % 4 === 3) await add(`in/${name}`, AGENT, 2);
  }
  const before = proxy.sent();
  expect(await undo({ since })).toMatchObject({ total: FILES, conflicts: [] });
  expect(proxy.sent() - before).toBeLessThan(FILES);
  await catalog.close();
  proxy.close();
});
