import { afterAll, beforeAll, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { Catalog } from "../port/catalog.ts";
import { DAY, tick } from "../suite/catalog.fixture.ts";
import { AGENT, OTHER, undoing } from "../suite/undo.fixture.ts";
import { holdFolder } from "./hold.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer, type TestDatabase } from "./server.fixture.ts";

let server: TestDatabase;
let url: string;
let catalog: Catalog;
let other: Catalog;

beforeAll(async () => {
  server = await postgresServer();
  url = await server.fresh();
  catalog = await openPostgresCatalog({ url });
  other = await openPostgresCatalog({ url });
});
afterAll(async () => {
  await catalog.close();
  await other.close();
});

/** The time now, before which everything until now happened, and after which what comes next. */
async function since(): Promise<number> {
  await tick();
  const now = catalog.now();
  await tick();
  return now;
}

async function waiting(count: number): Promise<void> {
  const sessions = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const deadline = Date.now() + 10_000;
  for (;;) {
    const [row] = await server.run(url, sessions);
    if (Bun.deepEquals(row, { count })) return;
    if (Date.now() > deadline) throw new Error(`Not ${count} sessions wait for a lock.`);
    await Bun.sleep(10);
  }
}

/**
 * Does a change and an undo, both of which lock this folder. The change gets the lock first, but the undo has begun
 * before that, so that it has seen nothing of the change.
 */
async function duringUndo<T>(
  folder: string,
  change: () => Promise<unknown>,
  undo: () => Promise<T>,
): Promise<T> {
  const end = await holdFolder(url, folder);
  // PostgreSQL gives a lock to those who wait for it in their order.
  const changing = change();
  await waiting(1);
  const undone = undo();
  await waiting(2);
  await end();
  await changing;
  return undone;
}

const file = (id: string) => catalog.fileById(COMMAND_EVERYWHERE, id);
const conflictOf = (id: string, key: string) => ({
  total: 0,
  conflicts: [{ id, key: parseKey(key), reason: "It was changed since." }],
});

test("an undo of a rename leaves a file that others rename meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("renamed/a");
  const start = await since();
  await catalog.changeFile(AGENT, { id, name: parseName("b") });
  const undone = await duringUndo(
    "renamed",
    () => other.changeFile(OTHER, { id, name: parseName("c") }),
    () => undo({ since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "renamed/c"));
  expect(await file(id)).toMatchObject({ name: parseName("c") });
});

test("an undo of a new visibility publishes no file that others rename meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("secret/a");
  const start = await since();
  await catalog.changeFile(AGENT, { id, name: parseName("b"), visibility: "private" });
  const undone = await duringUndo(
    "secret",
    () => other.changeFile(OTHER, { id, name: parseName("plan") }),
    () => undo({ since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "secret/plan"));
  expect(await file(id)).toMatchObject({ name: parseName("plan"), visibility: "private" });
});

test("an undo of new metadata keeps what others add meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("described/a");
  const start = await since();
  await catalog.changeFile(AGENT, { id, metadata: { cacheControl: "no-store" } });
  const undone = await duringUndo(
    "described",
    () => other.changeFile(OTHER, { id, metadata: { contentLanguage: "de" } }),
    () => undo({ since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "described/a"));
  const metadata = JSON.parse((await file(id))?.metadata ?? "{}");
  expect(metadata).toEqual({ cacheControl: "no-store", contentLanguage: "de" });
});

test("an undo in a folder publishes no file that others move out of it meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id, folderId } = await add("hidden/a");
  const stays = await add("hidden/b");
  const target = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("elsewhere"));
  const start = await since();
  await catalog.changeFolder(AGENT, { id: folderId, visibility: "private" });
  const undone = await duringUndo(
    "hidden",
    () => other.changeFile(OTHER, { id, folderId: target.id }),
    () => undo({ since: start, folder: folderId }),
  );
  expect(undone).toMatchObject({ total: 1, changes: [{ id: stays.id }], conflicts: [] });
  expect(await file(id)).toMatchObject({ key: parseKey("elsewhere/a"), visibility: "private" });
});

test("an undo of a replacement leaves content that others store meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("replaced/a", COMMAND_EVERYWHERE, 1);
  const start = await since();
  await add("replaced/a", AGENT, 2);
  const undone = await duringUndo(
    "replaced",
    () => undoing(other).add("replaced/a", OTHER, 3),
    () => undo({ since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "replaced/a"));
  expect(await file(id)).toMatchObject({ size: 3 });
});

test("an undo of a replacement leaves content of which only a version shows that it is new", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("unrecorded/a", COMMAND_EVERYWHERE, 1);
  const start = await since();
  await add("unrecorded/a", AGENT, 2);
  await add("unrecorded/a", AGENT, 3);
  // The blob of the last content is not recorded any more.
  await server.run(
    url,
    `delete from undo_steps where id =
      (select max(id) from undo_steps where subject_id = $1 and kind = 'content')`,
    [id],
  );
  const undone = await duringUndo(
    "unrecorded",
    () => undoing(other).add("unrecorded/a", OTHER, 4),
    () => undo({ since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "unrecorded/a"));
  expect(await file(id)).toMatchObject({ size: 4 });
});

test("an undo of a restore does not trash a file that gets other content meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { id } = await add("restored/a", COMMAND_EVERYWHERE, 1);
  const start = await since();
  await catalog.trashFiles(AGENT, { ids: [id], keepMs: DAY });
  await undo({ since: start }, OTHER);
  const undone = await duringUndo(
    "restored",
    () => undoing(other).add("restored/a", COMMAND_EVERYWHERE, 9),
    () => undo({ by: "other", since: start }),
  );
  expect(undone).toMatchObject(conflictOf(id, "restored/a"));
  expect(await file(id)).toMatchObject({ size: 9 });
});

test("an undo of a restore does not trash a folder that gets a file meanwhile", async () => {
  const { add, undo } = undoing(catalog);
  const { folderId } = await add("top/filled/a", COMMAND_EVERYWHERE, 1);
  const start = await since();
  await catalog.trashFolder(AGENT, { id: folderId, keepMs: DAY });
  await undo({ since: start }, OTHER);
  const undone = await duringUndo(
    "top/filled",
    () => undoing(other).add("top/filled/new"),
    () => undo({ by: "other", since: start }),
  );
  expect(undone).toMatchObject(conflictOf(folderId, "top/filled"));
  const added = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("top/filled/new"));
  expect(added).toMatchObject({ size: 1 });
});
