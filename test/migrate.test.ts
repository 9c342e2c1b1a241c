import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hasS3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { api, send } from "./client.ts";
import { type Environment, removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { type InstanceEnv, newInstanceEnv, writeEnvFile } from "./instance-env.ts";
import { keysIn, s3SettingsOf } from "./s3-environment.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { blobsOf } from "./snapshot.ts";

const LIMIT = 120_000;
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const migrate = (from: Environment, to: InstanceEnv) =>
  run(["migrate", "--to", to.file], from, LIMIT);

async function expectMoved(from: Environment, to: InstanceEnv): Promise<string> {
  const { code, stdout, stderr } = await migrate(from, to);
  expect([stderr, code]).toEqual([stderr, 0]);
  expect(stdout).toContain("The catalogs are equal, row by row");
  return stdout;
}

async function expectRefusal(from: Environment, to: InstanceEnv, says: string): Promise<void> {
  const { code, stderr } = await migrate(from, to);
  expect([stderr, code]).toEqual([stderr, 1]);
  expect(stderr).toContain(says);
  expect(stderr).not.toMatch(/\n\s+at /);
}

/** Names, sizes, times and hashes of everything in a folder. */
function stateOf(path: string) {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  return names.map((name) => {
    const { mtimeMs, size } = statSync(join(path, name));
    const isFile = statSync(join(path, name)).isFile();
    return [name, mtimeMs, size, isFile ? Bun.hash(readFileSync(join(path, name))) : null];
  });
}

/** Headers that differ between identical responses. */
const PASSING = new Set(["date", "content-length", "transfer-encoding", "x-request-id"]);

interface Credentials {
  readonly link: string;
  readonly cookie: string;
}

/** All responses of a server on this instance, with the credentials of the old one. */
async function everythingAt({ env }: InstanceEnv, { link, cookie }: Credentials) {
  const server = await startServer({ ...env, INITIAL_API_KEY: undefined });
  try {
    const there = api({ url: server.url, apiKey: "test-key-0123456789abcdef" });
    const files = await there.list("?orderBy=name&orderDirection=ASC");
    const bytes = [];
    for (const { id, url } of files) {
      const { headers, bytes: content } = await there.get(`/api/files/download/${id}`);
      const hosted = await there.get(`/${url}`);
      const compared = headers.filter(([name]) => !PASSING.has(name));
      bytes.push([compared, Bun.hash(content), Bun.hash(hosted.bytes)].map(String));
    }
    const events = (await there.json("GET", "/api/activity?limit=1000")).text;
    const answer = {
      files,
      bytes,
      root: await there.browse(""),
      empty: await there.browse("empty"),
      keys: JSON.parse((await there.json("GET", "/api/keys")).text).data.keys.map(
        ({ lastUsedAt: _, ...key }: { lastUsedAt: unknown }) => key,
      ),
      settings: (await there.json("GET", "/api/settings")).text,
      quotas: (await there.get("/api/folders/quota")).text,
      inherited: (await there.get("/api/folders/visibility?key=empty/inside")).text,
      uploads: [...events.matchAll(/"file\.upload"|"files\.upload"|"upload"/g)].length,
      linked: (await send(server, "GET", link)).text,
      session: (await fromPage(server, "GET", "/auth/account", cookie)).status,
    };
    // With the same password as before.
    await signIn(server);
    return answer;
  } finally {
    await server.stop();
  }
}

/** Whether a server may use the data folder. */
function isWhole({ env: { DATA_PATH } }: InstanceEnv): boolean {
  const marker = join(DATA_PATH, "holdall.json");
  return existsSync(marker) && !readFileSync(marker, "utf8").includes("unfinished");
}

describe.skipIf(!hasS3Server)("migrate", () => {
  let home: InstanceEnv;
  let known: Credentials;
  let before: Awaited<ReturnType<typeof everythingAt>>;

  beforeAll(async () => {
    const path = join(folder, "home");
    home = { env: { DATA_PATH: path }, file: "" };
    const server = await startServer({ ...administrator, DATA_PATH: path });
    const here = api(server);
    for (let n = 0; n < 150; n += 1) await here.put(`many/${n % 7}/${n}.txt`, `content ${n}`);
    await here.put("a/größe 日本.bin", new Uint8Array(20_000_003).fill(7));
    await here.put("empty.txt", "");
    await here.folder("empty/inside");
    const { folder: top } = await here.browse("empty");
    await here.json("PUT", "/api/folders", { id: top.id, defaultVisibility: "private" });
    const secret = await here.put("a/private.txt", "private", { visibility: "private" });
    const signed = JSON.parse(
      (await here.json("POST", "/api/files/sign", { id: secret.id, expiresIn: 600_000 })).text,
    );
    const quota = { key: "many", maxBytes: 10_000, maxFiles: 150 };
    expect((await here.json("PUT", "/api/folders/quota", quota)).status).toBe(200);
    await here.json("PUT", "/api/settings", { maxDeleteBatch: 123 });
    known = { link: `/${signed.data.url}`, cookie: await signIn(server) };
    await server.stop();
    before = await everythingAt(home, known);
  });

  test(
    "moves an instance to PostgreSQL and S3 and back, and leaves the source unchanged",
    async () => {
      const there = await newInstanceEnv(folder, "there", "postgres", "s3");
      const state = stateOf(home.env.DATA_PATH);
      const said = await expectMoved(home.env, there);
      expect(said).toContain("Copied 153 files");
      expect(stateOf(home.env.DATA_PATH)).toEqual(state);
      expect((await run(["verify"], there.env, LIMIT)).code).toBe(0);
      expect(await everythingAt(there, known)).toEqual(before);
      await expectRefusal(home.env, there, "already contains the catalog of this instance");

      const back = await newInstanceEnv(folder, "back", "sqlite", "disk");
      await expectMoved(there.env, back);
      expect(blobsOf(back.env.DATA_PATH)).toEqual(blobsOf(home.env.DATA_PATH));
      expect((await run(["verify"], back.env, LIMIT)).code).toBe(0);
      expect(await everythingAt(back, known)).toEqual({ ...before });
      await expectRefusal(there.env, back, "is not empty");
    },
    LIMIT,
  );

  test(
    "moves only the catalog to PostgreSQL, then only the blobs to S3",
    async () => {
      const middle = await newInstanceEnv(folder, "middle", "postgres", "disk");
      await expectMoved(home.env, middle);
      const last = await newInstanceEnv(folder, "last", "sqlite", "s3");
      await expectMoved(middle.env, last);
      expect(await everythingAt(last, known)).toEqual(before);
    },
    LIMIT,
  );

  test(
    "continues after repeated kills, and no server starts on an unfinished target",
    async () => {
      const there = await newInstanceEnv(folder, "killed", "postgres", "s3");
      const settings = s3SettingsOf(there.env);
      const all = blobsOf(home.env.DATA_PATH).length;
      let copied = 0;
      let hasBeenRefused = 0;
      // Each attempt runs a little longer than the one before, so that some are killed while copying.
      for (let killAfterMs = 250; ; killAfterMs *= 1.3) {
        const ended = await run(["migrate", "--to", there.file], home.env, killAfterMs);
        if (ended.code !== null) {
          expect([ended.stderr, ended.code]).toEqual([ended.stderr, 0]);
          break;
        }
        // Killed after its last step, before it exited.
        if (isWhole(there)) break;
        // Complete copies are not sent again.
        const keys = (await keysIn(settings)).filter((key) => key.startsWith("blobs/")).length;
        expect(keys).toBeGreaterThanOrEqual(copied);
        copied = keys;
        if (keys === 0 || hasBeenRefused > 2) continue;
        hasBeenRefused += 1;
        const served = await run([], { ...there.env, PORT: "0" });
        expect([served.stderr, served.code]).toEqual([expect.stringContaining("unfinished"), 1]);
        // With all blobs copied, the target may be open to servers already.
        if (keys === all) continue;
        const elsewhere = { ...there.env, DATA_PATH: join(folder, "elsewhere"), PORT: "0" };
        const other = await run([], elsewhere);
        expect([other.stderr, other.code]).toEqual([expect.stringContaining("migrat"), 1]);
      }
      expect(hasBeenRefused).toBeGreaterThan(0);
      expect(await everythingAt(there, known)).toEqual(before);
    },
    LIMIT,
  );

  test(
    "continues an earlier attempt and replaces corrupt copies",
    async () => {
      const there = await newInstanceEnv(folder, "wrong", "sqlite", "disk");
      const blob = blobsOf(home.env.DATA_PATH).find((each) => each.endsWith(" 20000003"));
      const large = join("blobs", blob?.split(" ")[0] ?? "");
      await expectMoved(home.env, there);
      // The state after a kill, with a corrupt copy on disk.
      const catalog = join(there.env.DATA_PATH, "catalog.sqlite");
      const database = new Database(catalog, { readonly: true });
      const root = database.query("select id from folders where key = ''").get();
      database.close();
      for (const name of [catalog, `${catalog}-wal`, `${catalog}-shm`])
        rmSync(name, { force: true });
      const marker = { layout: 1, backupOf: Object(root).id, unfinished: "migration" };
      writeFileSync(join(there.env.DATA_PATH, "holdall.json"), JSON.stringify(marker));
      writeFileSync(join(there.env.DATA_PATH, large), new Uint8Array(20_000_003));
      const said = await expectMoved(home.env, there);
      expect(said).toContain("Copied 0 files (0 bytes), kept 153");
      expect(said).toContain("read again and verified: 153");
      const [copy, original] = [there, home].map(({ env }) =>
        readFileSync(join(env.DATA_PATH, large)),
      );
      expect(Buffer.compare(copy ?? Buffer.alloc(0), original ?? Buffer.alloc(1))).toBe(0);
    },
    LIMIT,
  );

  test(
    "does not touch a target that is already served and still has the marker",
    async () => {
      const server = await startServer();
      await api(server).put("old.txt", "old");
      await server.stop();
      const mine: Environment = { ...server.env, INITIAL_API_KEY: undefined };
      const there = await newInstanceEnv(folder, "served", "postgres", "s3");
      await expectMoved(mine, there);
      const [root] = await (await postgresServer()).run(
        there.env.DATABASE_URL ?? "",
        "select id from folders where key = ''",
      );
      const marker = {
        layout: 1,
        backupOf: Object(root).id,
        unfinished: "migration",
        isWhole: true,
      };
      writeFileSync(join(there.env.DATA_PATH, "holdall.json"), JSON.stringify(marker));

      const elsewhere = { ...there.env, DATA_PATH: join(folder, "served-elsewhere") };
      const served = await startServer(elsewhere);
      await api(served).put("new.txt", "new");
      await expectRefusal(mine, there, "The catalogs differ");
      await served.restart();
      expect((await send(served, "GET", "/api/hosting/new.txt")).text).toBe("new");
      await served.stop();
      await server.discard();
    },
    LIMIT,
  );

  test(
    "names damaged files, moves the rest and exits with 1",
    async () => {
      const path = join(folder, "damaged");
      const damaged = await newInstanceEnv(folder, "damaged", "sqlite", "disk");
      await expectMoved(home.env, damaged);
      const large = blobsOf(path).find((each) => each.endsWith(" 20000003"));
      const blob = join(path, "blobs", large?.split(" ")[0] ?? "");
      chmodSync(blob, 0o600);
      writeFileSync(blob, new Uint8Array(20_000_003));
      const there = await newInstanceEnv(folder, "rest", "postgres", "s3");
      const { code, stdout, stderr } = await migrate(damaged.env, there);
      expect(code).toBe(1);
      expect(stderr).toContain("a/größe 日本.bin: its bytes have changed");
      expect(stdout).toContain("only the record was moved: 1 file");
      const verified = await run(["verify"], there.env, LIMIT);
      expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining("größe")]);
      const server = await startServer(there.env);
      expect((await send(server, "GET", "/api/hosting/many/3/10.txt")).text).toBe("content 10");
      await server.stop();
    },
    LIMIT,
  );

  test(
    "refuses in one line a target in use, of another instance, its own source, and none",
    async () => {
      const server = await startServer();
      await api(server).put("mine.txt");
      const mine: Environment = { ...server.env, INITIAL_API_KEY: undefined };
      const plain = await newInstanceEnv(folder, "plain", "sqlite", "disk");
      await expectRefusal(mine, plain, "is in use by another Holdall");
      await server.stop();

      const url = await (await postgresServer()).fresh();
      const other = await startServer({ DATABASE_URL: url });
      await api(other).put("theirs.txt");
      await expectRefusal({ ...other.env, DATA_PATH: mine.DATA_PATH }, plain, "catalog of its own");
      const alone = { ...other.env, DATA_PATH: join(folder, "alone") };
      await expectRefusal(alone, plain, "there is no instance of Holdall in");
      const onIt = { env: { ...plain.env, DATABASE_URL: url }, file: "" };
      const taken = { ...onIt, file: writeEnvFile(folder, "taken", onIt.env) };
      await expectRefusal(mine, taken, "holds another instance of Holdall");
      const machine = join(folder, "machine");
      mkdirSync(machine);
      writeFileSync(join(machine, "holdall.json"), '{"layout":1}');
      const elsewhere = { DATABASE_URL: url, DATA_PATH: machine };
      await expectRefusal(elsewhere, plain, "Servers still use it");
      await other.stop();

      const s3 = await newInstanceEnv(folder, "bucket", "sqlite", "s3");
      await expectMoved(mine, s3);
      const again = writeEnvFile(folder, "again", { ...s3.env, DATA_PATH: join(folder, "again") });
      await expectRefusal(mine, { ...s3, file: again }, "choose an empty bucket");
      await expectRefusal(mine, { ...s3, file: again }, "choose an empty bucket");
      await expectRefusal(home.env, { ...s3, file: again }, "is not empty");
      const nested = { DATA_PATH: join(mine.DATA_PATH ?? "", "inside") };
      const inside = writeEnvFile(folder, "inside", nested);
      await expectRefusal(mine, { env: nested, file: inside }, "must not contain each other");
      const nowhere = writeEnvFile(folder, "nowhere", { BLOBS: "disk" });
      await expectRefusal(mine, { ...s3, file: nowhere }, "must set DATA_PATH");
      const { code, stderr } = await run(["migrate"], mine, LIMIT);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--to FILE")]);
      await server.discard();
      await other.discard();
    },
    LIMIT,
  );
});
