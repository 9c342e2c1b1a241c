import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beginDownload } from "./begin-download.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { type Environment, run, startServer, type TestServer } from "./harness.ts";
import { administrator } from "./session.ts";
import { expectSoonerThanAServer } from "./sooner-than-a-server.ts";
import { isOnDisk } from "./test-stores.ts";
import { cannotDropRoot, withoutRoot } from "./without-root.fixture.ts";

async function withServer(
  env: Environment,
  act: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(env);
  try {
    await act(server);
  } finally {
    await server.discard();
  }
}

const setupLink = /http:\/\/127\.0\.0\.1:\d+\/\S*setup\S*/;

describe("the first start", () => {
  test("prints a setup link and a curl command, and creates a private data folder", () =>
    withServer({ INITIAL_API_KEY: undefined }, async (server) => {
      expect(server.output()).toMatch(setupLink);
      expect(server.output()).toMatch(/curl .*\/api\//);
      expect(server.output()).toContain(server.url);
      expect(statSync(server.dataPath).isDirectory()).toBe(true);
    }));

  test("prints no link when the administrator comes from the environment", () =>
    withServer(administrator, async (server) => {
      expect(server.output()).not.toMatch(setupLink);
    }));
});

test("prints the local address beside PUBLIC_URL", () =>
  withServer({ PUBLIC_URL: "https://files.example.com" }, async (server) => {
    const says = (text: string) => eventually(text, () => server.output().includes(text));
    await says("https://files.example.com");
    await says(server.url);
  }));

describe("the second start", () => {
  test("prints a setup link only while there is no account", () =>
    withServer({}, async (server) => {
      const link = () => setupLink.exec(server.output().slice(from))?.[0];
      let from = 0;
      expect(link()).toBeDefined();
      from = server.output().length;
      await server.restart();
      expect(link()).toBeDefined();
      from = server.output().length;
      await server.restart(administrator);
      expect(link()).toBeUndefined();
      from = server.output().length;
      await server.restart({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
      expect(link()).toBeUndefined();
    }));

  test("accepts the key of the first start without INITIAL_API_KEY", () =>
    withServer({}, async (server) => {
      const file = await api(server).put("kept.txt");
      await server.restart({ INITIAL_API_KEY: undefined });
      expect(await api(server).file(file.id)).toEqual(file);
    }));

  test("accepts another INITIAL_API_KEY", () =>
    withServer({}, async (server) => {
      const key = "another-key-0123456789";
      await server.restart({ INITIAL_API_KEY: key });
      expect((await send(server, "GET", "/api/files", { "API-Key": key })).status).toBe(200);
    }));
});

test("refuses to start at once on a data folder in use, with the reason", () =>
  withServer({}, async (server) => {
    const start = () => run(["serve"], { ...server.env, PORT: "0" });
    const second = await start();
    expect(second.code).not.toBe(0);
    expect(second.code).not.toBeNull();
    await expectSoonerThanAServer(async () => expect((await start()).code).toBe(second.code));
    const printed = `${second.stdout}${second.stderr}`;
    expect(printed).toContain(server.dataPath);
    expect(printed.trim().split("\n").length).toBe(1);
    expect((await send(server, "GET", "/api/health")).status).toBe(200);
    expect((await api(server).put("still.txt")).size).toBe(9);
  }));

test("refuses a port in use with one sentence", () =>
  withServer({}, async (server) => {
    await withServer({}, async (other) => {
      const env = { ...server.env, DATA_PATH: `${server.dataPath}-2`, PORT: String(other.port) };
      const second = await run(["serve"], env);
      expect(second.code).not.toBe(0);
      expect(second.code).not.toBeNull();
      const printed = `${second.stdout}${second.stderr}`.trim();
      expect(printed.split("\n").at(-1)).toContain(String(other.port));
      expect(printed).not.toMatch(/\n\s+at /);
    });
  }));

test("warns about a short AUTH_SECRET with the reason", () =>
  withServer({ AUTH_SECRET: "short-secret" }, async (server) => {
    expect(server.output()).toMatch(/AUTH_SECRET.*32/);
    expect(server.output()).not.toContain("short-secret");
  }));

test("SIGTERM completes pending requests and exits with 0", () =>
  withServer({}, async (server) => {
    const file = await api(server).put("big.bin", Buffer.alloc(5_000_000, 3));
    const download = await beginDownload(server, file.url);
    expect(await server.stop()).toBe(0);
    expect((await download.answer()).bytes.length).toBe(5_000_000);
  }));

test.skipIf(cannotDropRoot)("names the file that it may not read", () =>
  withServer({}, async (server) => {
    await server.stop();
    const marker = join(server.dataPath, "holdall.json");
    chmodSync(marker, 0);
    const { code, stderr } = await run([], { ...server.env, PORT: "0" }, undefined, withoutRoot);
    expect([code, stderr]).toEqual([1, expect.stringContaining(marker)]);
    expect(stderr).not.toContain("PORT");
    chmodSync(marker, 0o600);
  }),
);

/** What makes a data folder unusable, and the line that says so. `{}` stands for its path. */
const UNUSABLE: readonly (readonly [string, (path: string) => void, string])[] = [
  [
    "a folder of blobs that may not be written",
    (path) => chmodSync(join(path, "blobs"), 0o500),
    'The folder of the blobs is "{}/blobs", but must be a folder that this user may write: EACCES',
  ],
  [
    "a file in place of the blobs",
    (path) => {
      rmSync(join(path, "blobs"), { recursive: true });
      writeFileSync(join(path, "blobs"), "");
    },
    'The folder of the blobs is "{}/blobs", but must be a folder that this user may write: EEXIST',
  ],
  [
    "a catalog that may not be written",
    (path) => chmodSync(join(path, "catalog.sqlite"), 0o400),
    "{}/catalog.sqlite must be a file that this user may read and write: EACCES",
  ],
  [
    "a catalog that may not be read",
    (path) => chmodSync(join(path, "catalog.sqlite"), 0),
    "{}/catalog.sqlite must be a file that this user may read and write: EACCES",
  ],
  [
    "a folder in place of the catalog",
    (path) => {
      rmSync(join(path, "catalog.sqlite"));
      mkdirSync(join(path, "catalog.sqlite"));
    },
    "{}/catalog.sqlite must be a file of the catalog: move it away and restore a backup.",
  ],
  [
    "a catalog in a format that SQLite does not know",
    (path) => {
      const file = openSync(join(path, "catalog.sqlite"), "r+");
      writeSync(file, Uint8Array.of(0, 0, 0, 99), 0, 4, 44);
      closeSync(file);
    },
    "The catalog {}/catalog.sqlite is damaged (unsupported file format). Restore it from a backup",
  ],
];

describe.skipIf(cannotDropRoot || !isOnDisk)(
  "refuses to start, with one line that says why, with",
  () => {
    test.each(UNUSABLE)("%s", (_what, spoil, reason) =>
      withServer({}, async (server) => {
        await server.stop();
        spoil(server.dataPath);
        const env = { ...server.env, PORT: "0" };
        const { code, stderr } = await run(["serve"], env, undefined, withoutRoot);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(stderr).toContain(reason.replace("{}", server.dataPath));
        expect(code).toBe(1);
        // `discard` reads the catalog.
        rmSync(join(server.dataPath, "catalog.sqlite"), { recursive: true });
      }),
    );
  },
);
