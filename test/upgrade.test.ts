import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { naturalName } from "../contract/text/natural-name.ts";
import { compareUtf8 } from "../contract/text/utf8-order.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { type Environment, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { type Release, releases } from "./releases/releases.fixture.ts";
import { trySignIn } from "./session.ts";
import { accountData, keysData } from "./shapes.ts";

const settingsData = z.looseObject({
  settings: z.looseObject({ maxFilesPerRequest: z.looseObject({ value: z.int() }) }),
});
const deletionData = z.looseObject({ undoId: z.string() });
const restoredData = z.looseObject({ restored: z.array(z.unknown()).length(1) });
const activityData = z.looseObject({ activity: z.array(z.unknown()) });

/** The environment of a server on the release's data, in files of its own. */
type Unpack = (release: Release) => Promise<Environment>;

const catalogs: Readonly<Record<"SQLite" | "PostgreSQL", Unpack>> = {
  SQLite: async (release) => ({ ...secretsOf(release), DATA_PATH: release.dataFolder() }),
  PostgreSQL: async (release) => ({
    ...secretsOf(release),
    DATA_PATH: release.blobsFolder(),
    DATABASE_URL: await loadDatabase(release),
  }),
};

const secretsOf = ({ contents }: Release): Environment => ({
  INITIAL_API_KEY: contents.apiKey,
  AUTH_SECRET: contents.authSecret,
});

const onLoopback = async (env: Promise<Environment>): Promise<Environment> => ({
  ...(await env),
  PORT: "0",
  HOST: "127.0.0.1",
});

async function loadDatabase(release: Release): Promise<string> {
  const server = await postgresServer();
  const url = await server.fresh();
  const [, schema = ""] = /search_path%3D(\w+)/.exec(url) ?? [];
  await server.run(url, release.databaseIn(schema));
  return url;
}

/** Checks that everything the release stored is there, and that the server can store more. */
async function expectWhole(server: TestServer, { contents }: Release): Promise<void> {
  const a = api(server);
  const files = await a.list();
  expect(files.map(({ key }) => key).sort()).toEqual(Object.keys(contents.files).sort());
  for (const { key, visibility, url } of files) {
    const stored = contents.files[key];
    expect({ key, visibility }).toEqual({ key, visibility: stored?.visibility ?? "public" });
    expect((await a.get(`/${url}`)).text).toBe(stored?.text ?? "");
    const anonymous = await send(server, "GET", `/${url}`);
    if (visibility === "public") expect(anonymous.text).toBe(stored?.text ?? "");
    else expectFault(anonymous, 404);
  }
  const byName = await a.list("?orderBy=naturalName&orderDirection=ASC");
  const sortKeys = byName.map(({ name }) => naturalName(name));
  expect(sortKeys).toEqual(sortKeys.toSorted(compareUtf8));
  expect(byName.length).toBe(files.length);
  for (const folder of contents.folders) expect((await a.browse(folder)).folder.key).toBe(folder);
  expectFault(await a.get("/api/folders?key=gone"), 404);

  const [stored] = files;
  if (stored === undefined) throw new Error("The release has no files.");
  const deletion = await a.json("DELETE", "/api/files", { id: stored.id, trash: true });
  const { undoId } = expectData(deletion, deletionData);
  expectFault(await a.get(`/${stored.url}`), 404);
  expectData(await a.json("POST", "/api/trash/restore", { undoId }), restoredData);
  expect((await a.get(`/${stored.url}`)).text).toBe(contents.files[stored.key]?.text ?? "");

  const { email, password } = contents.account;
  const { account } = expectData(await trySignIn(server, email, password), accountData);
  expect(account.role).toBe("owner");
  const { settings } = expectData(await a.get("/api/settings"), settingsData);
  expect(settings.maxFilesPerRequest.value).toBe(contents.maxFilesPerRequest);
  const deletions = await a.get("/api/activity?action=deleteFolder");
  expect(expectData(deletions, activityData).activity).toHaveLength(contents.foldersDeleted);

  const { keys } = expectData(await a.get("/api/keys"), keysData);
  expect(keys.length).toBeGreaterThan(0);
  const unlimited = { actions: ["admin"], folder: null, parentId: null };
  for (const key of keys) expect(key).toMatchObject(unlimited);

  const added = await a.put("docs/2026/new.txt", "new");
  expect((await send(server, "GET", `/${added.url}`)).text).toBe("new");
  await a.json("DELETE", "/api/files", { id: added.id });
}

async function expectServes(env: Environment, release: Release): Promise<void> {
  const server = await startServer(env);
  try {
    await expectWhole(server, release);
    expect(await server.stop()).toBe(0);
    await server.restart();
    await expectWhole(server, release);
  } finally {
    await server.discard();
  }
}

for (const release of releases) {
  for (const [catalog, unpack] of Object.entries(catalogs)) {
    test(`opens what ${release.version} stored with ${catalog}`, async () => {
      await expectServes(await unpack(release), release);
    });
  }
}

for (const release of releases) {
  test(`restores a backup of ${release.version}`, async () => {
    const backup = release.dataFolder();
    const catalog = new Database(join(backup, "catalog.sqlite"));
    const root = catalog.query<{ id: string }, []>("select id from folders where key = ''").get();
    catalog.close();
    const marker = JSON.stringify({ layout: 1, backupOf: root?.id });
    writeFileSync(join(backup, "holdall.json"), marker);
    const env = { ...secretsOf(release), DATA_PATH: join(temporaryFolder(), "restored") };
    const { code, stdout, stderr } = await run(["restore", backup], env);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Restored ");
    await expectServes(env, release);
  });
}

describe("an interrupted schema migration", () => {
  test("continues at the next start after a kill at any moment, with SQLite", async () => {
    for (const release of releases) {
      const env = await onLoopback(catalogs.SQLite(release));
      for (let milliseconds = 100; milliseconds < 500; milliseconds += 50) {
        await run(["serve"], env, milliseconds);
      }
      await expectServes(env, release);
    }
  });

  test("continues at the next start after a kill inside its transaction, with PostgreSQL", async () => {
    for (const release of releases) {
      const env = await onLoopback(catalogs.PostgreSQL(release));
      const other = new Client({ connectionString: env.DATABASE_URL });
      await other.connect();
      // The migration waits for this table after it has changed others.
      await other.query("begin; lock table files in access share mode");
      const killed = run(["serve"], env, 5_000);
      const waiting = "select 1 from pg_locks where not granted and relation = 'files'::regclass";
      const isWaiting = async () => (await other.query(waiting)).rowCount === 1;
      await eventually("the migration waits", isWaiting);
      expect((await killed).code).toBeNull();
      await other.query("rollback");
      await other.end();
      await expectServes(env, release);
    }
  });
});

/** All files of the folder with their bytes. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, bytes: Bun.hash(readFileSync(path)) };
    })
    .sort((a, b) => a.path.localeCompare(b.path));

test("a folder that a newer version has written is refused with one line, and not changed", async () => {
  const server = await startServer();
  try {
    await server.stop();
    const catalog = new Database(join(server.dataPath, "catalog.sqlite"));
    catalog.run("insert into migrations values (1000, 0)");
    catalog.close();
    const before = contentOf(server.dataPath);
    const { code, stderr } = await run(["serve"], server.env);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(
        /version 1000, which a newer Holdall wrote; this one knows versions up to \d+\..*run the newer one/,
      ),
    ]);
    expect(contentOf(server.dataPath)).toEqual(before);
  } finally {
    await server.discard();
  }
});

test("a server of 0.1.0 on the same catalog does not know limited API keys", async () => {
  const server = await startServer();
  try {
    const create = async (rights: object) => {
      const answer = await api(server).json("POST", "/api/keys", { name: "key", ...rights });
      return expectData(answer, z.looseObject({ secret: z.string() })).secret;
    };
    const limited = await create({ actions: ["list"] });
    const free = await create({ actions: ["admin"] });
    const catalog = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
    const find = (secret: string) =>
      catalog.query("select name from api_keys where hash = ?").all(Bun.SHA256.hash(secret, "hex"));
    expect(find(free)).toEqual([{ name: "key" }]);
    expect(find(limited)).toEqual([]);
    catalog.close();
    const answer = await send(server, "GET", "/api/files", { "API-Key": limited });
    expect(answer.status).toBe(200);
  } finally {
    await server.discard();
  }
});
