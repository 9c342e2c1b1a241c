import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder, temporaryFolder } from "./harness.ts";
import { releases } from "./releases/releases.fixture.ts";

/*
 * The executable runs alone in a folder of its own with an empty environment.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const API_KEY = "executable-key-0123456789";
const folder = temporaryFolder();
const program = join(folder, "holdall");
const empty = join(folder, "empty");
const env = { DATA_PATH: join(folder, "data"), PORT: "0", INITIAL_API_KEY: API_KEY };

beforeAll(async () => {
  mkdirSync(empty);
  // Of another program, and wrong.
  writeFileSync(join(empty, "bunfig.toml"), 'preload = ["./missing.ts"]\n');
  const build = Bun.spawn(
    [
      "node",
      "-e",
      "import('./scripts/dashboard.mjs').then((m) => process.exit(m.buildDashboardIfNeeded() ? 0 : 1))",
    ],
    { cwd: root },
  );
  expect(await build.exited).toBe(0);
  const made = Bun.spawn([process.execPath, "scripts/executable.ts", program], { cwd: root });
  expect(await made.exited).toBe(0);
});

afterAll(() => removeFolder(folder));

const launch = (...args: string[]) =>
  Bun.spawn([program, ...args], { cwd: empty, env, stdout: "pipe", stderr: "pipe" });

const textOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).text();

const run = (...args: string[]) => runWith({}, ...args);

async function runWith(settings: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn([program, ...args], {
    cwd: empty,
    env: { ...env, ...settings },
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = (await textOf(child.stdout)) + (await textOf(child.stderr));
  return { code: await child.exited, printed };
}

test("serves the same as the sources, from a single file", async () => {
  const server = launch();
  let printed = "";
  let url = "";
  for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    url = /serves on (http:\S+)/.exec(printed)?.[1] ?? "";
    if (url !== "") break;
  }
  try {
    const get = (path: string) => fetch(url + path);
    const home = await get("/");
    expect(home.status).toBe(200);
    const script = /src="([^"]+\.js)"/.exec(await home.text())?.[1] ?? "no script";
    expect((await get(script)).headers.get("content-type")).toStartWith("text/javascript");
    for (const path of [
      "/docs",
      "/docs/durability",
      "/security",
      "/scaling",
      "/openapi.json",
      "/assets/theme.js",
    ]) {
      expect((await get(path)).status).toBe(200);
    }
    expect((await get("/assets/holdall.css")).headers.get("content-type")).toStartWith("text/css");
    expect((await get("/assets/inter-latin.woff2")).headers.get("content-length")).not.toBe("0");

    const form = new FormData();
    form.append("files", new File(["by one file"], "hello.txt"));
    const headers = { "API-Key": API_KEY };
    const stored = await fetch(`${url}/api/files`, { method: "POST", headers, body: form });
    expect(stored.status).toBe(200);
    expect(await (await get("/api/hosting/hello.txt")).text()).toBe("by one file");

    expect((await run("backup", join(folder, "backup"))).printed).toContain("Backed up 1 file");
    expect(await run("verify")).toMatchObject({ code: 0 });
  } finally {
    server.kill("SIGTERM");
  }
  expect(await server.exited).toBe(0);
});

test("supports every command", async () => {
  expect((await run("version")).code).toBe(0);
  const { code, printed } = await run("keys", "create", "first");
  expect({ code, key: /^hd_\w+$/m.test(printed) }).toEqual({ code: 0, key: true });
});

test.each(releases)("opens the data folder of $version", async ({ contents, dataFolder }) => {
  const settings = { DATA_PATH: dataFolder(), AUTH_SECRET: contents.authSecret };
  const exported = join(folder, "exported");
  expect(await runWith(settings, "export", exported)).toMatchObject({ code: 0 });
  for (const [key, { text }] of Object.entries(contents.files)) {
    expect(readFileSync(join(exported, key), "utf8")).toBe(text);
  }
});
