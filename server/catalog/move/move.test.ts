import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OWNER } from "../../access/credentials.fixture.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { objectEtag } from "../../semantics/s3/object-etag.ts";
import { compareRows } from "../../transfer/compare-rows.ts";
import { DISK_SETTING } from "../move-port.ts";
import type { Catalog } from "../port/catalog.ts";
import { openPostgresDestination } from "../postgres/postgres-destination.ts";
import { openPostgresMoveSource } from "../postgres/postgres-move-source.ts";
import { postgresServer } from "../postgres/server.fixture.ts";
import { openSqliteCatalog } from "../sqlite/sqlite-catalog.ts";
import { createSqliteDestination } from "../sqlite/sqlite-destination.ts";
import { openSqliteMoveSource } from "../sqlite/sqlite-move-source.ts";
import { createUploader, folderAt, versionsOf } from "../suite/catalog.fixture.ts";
import { createObjects, etagOf } from "../suite/objects.fixture.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdall-rows-"));
  path = join(folder, "catalog.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function makeCatalog(fill: (catalog: Catalog) => Promise<void>): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  await fill(catalog);
  await catalog.close();
}

/** Values that engines store differently, and optional columns. */
async function unusual(catalog: Catalog): Promise<void> {
  const uploader = createUploader(catalog);
  await uploader.add(["x", "\u{1F600}", "x\u2028y"], { folder: "a/b/c" });
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
  await createObjects(catalog).put("bucket/implicit/object");
  await uploader.add(["gone"], { folder: "removed/with/folders" });
  await addPeople(catalog);
  await catalog.removeFolder(COMMAND_EVERYWHERE, (await folderAt(catalog, "removed")).id);
  await uploader.add(["trashed"], { folder: "trash/inner" });
  const lone = await uploader.addOne("lone", { folder: "trash" });
  await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [lone.id], keepMs: 86_400_000 });
  await catalog.trashFolder(COMMAND_EVERYWHERE, {
    id: (await folderAt(catalog, "trash")).id,
    keepMs: 86_400_000,
  });
  await uploader.add(["x"], { folder: "a/b/c", onConflict: "replace", keepReplacedMs: 86_400_000 });
  // A folder that is older than its parent.
  const { id } = await folderAt(catalog, "a");
  const { id: parentId } = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("0/later"));
  await catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId });
  await catalog.putSetting("with \0", "a\0b");
  // About the data folder, which the other instance does not share.
  await catalog.putSetting(DISK_SETTING, "here");
  await catalog.addPasskey({
    passkey: {
      id: "p",
      accountId,
      credentialId: "c",
      publicKey: "k",
      counter: 2 ** 32 - 1,
      transports: ["usb", "nfc"],
      canSync: false,
      isSynced: false,
      host: "localhost",
      name: "Key \u{1F511}",
      createdAt: 2,
      lastUsedAt: null,
    },
    challenge: { hash: "used", expiresAt: 2 ** 52 },
    ifPasswordHash: passwordHash,
  });
  await catalog.addCounts("hour", [
    { period: 3_600_000, subject: "", requests: 2 ** 52, bytes: 2 ** 53 - 1, errors: 2 },
    { period: 3_600_000, subject: "404", requests: 2 ** 52, bytes: 0, errors: 2 ** 52 },
    { period: 3_600_000, subject: "503", requests: 2 ** 52, bytes: 0, errors: 2 ** 52 },
  ]);
  await catalog.addCounts("key", [{ period: 0, subject: "k", requests: 1, bytes: 2 ** 52 }]);
  await catalog.addCounts("file", [
    { period: 0, subject: "f", requests: 2, bytes: 2 ** 52, weight: 1 },
  ]);
}

const accountId = "administrator";
const passwordHash = "hash";

/** An owner and a member with grants, one of them in a folder that is removed later, and an invitation. */
async function addPeople(catalog: Catalog): Promise<void> {
  const first = { id: accountId, email: "ada@example.com", passwordHash, createdAt: 1, ...OWNER };
  await catalog.addFirstAccount(first);
  const member = { ...first, id: "m", email: "m@example.com", passwordHash: "" };
  const identity = { issuer: "https://id.example.com", subject: "\u{1F511}" };
  await catalog.addAccount({ ...member, role: "member", groups: ["a, \u{1F511}"] }, { identity });
  const actions = ["list", "read"] as const;
  for (const [id, folder] of [
    ["g1", "bucket"],
    ["g2", "trash"],
    ["g3", "removed"],
  ] as const) {
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(folder)).catch(() => undefined);
    const grant = { id, accountId: "m", group: null, actions, createdAt: 2 };
    await catalog.addGrant({ ...grant, folder: { key: parseKey(folder) } });
  }
  const grants = [{ folder: { key: parseKey("") }, actions }];
  const invite = {
    id: "i",
    tokenHash: "t",
    role: "member",
    makerId: null,
    makerName: null,
    grants,
  } as const;
  await catalog.addInvite({ ...invite, createdAt: 3, expiresAt: 2 ** 52 });
}

/** PostgreSQL ends a connection some time after it was closed, and until then it counts as a server. */
async function openOnceUnserved(url: string): ReturnType<typeof openPostgresMoveSource> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await openPostgresMoveSource(url);
    } catch (error) {
      if (tries > 1000 || !String(error).includes("Servers still use it")) throw error;
      await Bun.sleep(50);
    }
  }
}

test("moves all rows from SQLite to PostgreSQL and back", async () => {
  await makeCatalog(unusual);
  const source = await openSqliteMoveSource(path, "verify");
  const url = await (await postgresServer()).fresh();
  const middle = await openPostgresDestination(url, source.rootId);
  await middle.begin();
  // The second fill replaces the rows of the first.
  for (const _ of ["once", "again"]) await middle.fill(source);
  const tables = { trash_deletions: 2, trash_items: 2, versions: 1, settings: 1, counters: 5 };
  const alike = {
    folders: 11,
    files: 6,
    accounts: 2,
    identities: 1,
    grants: 2,
    invites: 1,
    passkeys: 1,
    used_challenges: 1,
    ...tables,
  };
  expect(await compareRows(source, middle)).toMatchObject(alike);
  await middle.publish();
  await middle.close();

  const onPostgres = await openOnceUnserved(url);
  const last = createSqliteDestination(join(folder, "last.sqlite"));
  await last.fill(onPostgres);
  expect(await compareRows(source, last)).toMatchObject(alike);
  for (const each of [source, onPostgres, last]) await each.close();
  const catalog = await openSqliteCatalog({ path: join(folder, "last.sqlite"), exclusive: true });
  expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
  expect((await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("0/later/a/b/c/x")))?.size).toBe(1);
  const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10 });
  await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: items.map(({ id }) => id) });
  expect((await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("trash/inner/trashed")))?.size).toBe(
    1,
  );
  expect((await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("trash/lone")))?.size).toBe(1);
  const x = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("0/later/a/b/c/x"));
  expect(await versionsOf(catalog, x?.id ?? "")).toHaveLength(1);
  const object = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/implicit/object"));
  expect(object && objectEtag(object)).toBe(etagOf("bucket/implicit/object"));
  await catalog.removeObjects(COMMAND_EVERYWHERE, {
    objects: [{ key: parseKey("bucket/implicit/object"), isFolder: false }],
  });
  expect(
    await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/implicit")),
  ).toBeUndefined();
  await catalog.close();
});

test("a database is filled by one process at a time, and never once it is published", async () => {
  await makeCatalog(unusual);
  const source = await openSqliteMoveSource(path, "verify");
  const server = await postgresServer();
  const url = await server.fresh();
  const first = await openPostgresDestination(url, source.rootId);
  await first.begin();
  const second = await openPostgresDestination(url, source.rootId);
  expect(second.state).toBe("unfinished");
  await expect(second.begin()).rejects.toThrow("Another move is filling");
  // As if its connections had been lost and another process had published.
  const overtaken = await openPostgresDestination(url, source.rootId);
  await first.fill(source);
  await first.publish();
  await first.close();
  await server.run(url, "insert into settings values ('new', 'kept')");
  await expect(second.begin()).rejects.toThrow("has just filled");
  await expect(overtaken.fill(source)).rejects.toThrow("has just filled");
  expect(await server.run(url, "select value from settings where name = 'new'")).toEqual([
    { value: "kept" },
  ]);
  for (const each of [second, overtaken, source]) await each.close();
});

test.each([
  ["files", "update files set size = size + 1"],
  ["folders", "delete from folders where key = '0/later/a/b/d'"],
  ["settings", "insert into settings values ('one', 'more')"],
])("a difference among the %s is found", async (table, change) => {
  await makeCatalog(async (catalog) => {
    await unusual(catalog);
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("0/later/a/b/d"));
  });
  const source = await openSqliteMoveSource(path, "verify");
  const draft = createSqliteDestination(join(folder, "draft.sqlite"));
  await draft.fill(source);

  const other = new Database(join(folder, "draft.sqlite"));
  other.run(change);
  other.close();
  expect(await compareRows(source, draft)).toMatchObject({ differs: table });
  expect(await compareRows(draft, source)).toMatchObject({ differs: table });
  await Promise.all([source.close(), draft.close()]);
});
