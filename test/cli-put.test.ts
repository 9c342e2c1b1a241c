import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { api, unique } from "./client.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { freePort } from "./free-port.fixture.ts";
import {
  type Environment,
  type Finished,
  removeFolder,
  run,
  startServer,
  temporaryFolder,
} from "./harness.ts";

const root = join(import.meta.dir, "..");
const server = await startServer();
afterAll(() => server.discard());

let local: string;
let env: Environment;
beforeEach(() => {
  local = temporaryFolder();
  env = {
    HOLDALL_URL: server.url,
    HOLDALL_KEY: server.apiKey,
    XDG_STATE_HOME: join(local, "state"),
  };
});
afterEach(() => removeFolder(local));

const holdall = (...args: string[]): Promise<Finished> => run(args, env);
const lines = ({ stdout }: Finished): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type !== "progress");

function write(path: string, content: string | Uint8Array = path): string {
  const file = join(local, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** The keys in a folder at any depth. */
async function keysIn(key: string): Promise<string[]> {
  const { files, folders } = await api(server).browse(key);
  const inside = await Promise.all(folders.map((folder) => keysIn(folder.key)));
  return [...files.map((file) => file.key), ...inside.flat()].sort();
}

describe("put of files", () => {
  test("stores a file under its name, in a folder, or under a key", async () => {
    const folder = unique("put");
    const path = write("a.txt");
    const first = await holdall("put", path, "--to", `${folder}/`);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(lines(first)).toMatchObject([
      { type: "stored", path, file: { key: `${folder}/a.txt`, size: 5, visibility: "public" } },
    ]);
    await holdall("put", path, "--to", `${folder}/b.txt`, "--visibility", "private");
    await api(server).folder(`${folder}/sub`);
    await holdall("put", path, "--to", `${folder}/sub`);
    expect(await keysIn(folder)).toEqual(
      ["a.txt", "b.txt", "sub/a.txt"].map((name) => `${folder}/${name}`),
    );
    const one = (await api(server).browse(folder)).files.find(({ name }) => name === "b.txt");
    expect(one?.visibility).toBe("private");
  });

  test("stores several files, and reports those that it cannot store", async () => {
    const folder = unique("put");
    await api(server).put(`${folder}/a.txt`, "taken");
    const paths = ["a.txt", "b.txt", "c.txt"].map((name) => write(name));
    const stored = await holdall("put", ...paths, "--to", folder);
    expect(stored.code).toBe(1);
    expect(stored.stderr).toStartWith(`${paths[0]}: A file named "a.txt" already exists`);
    expect(await keysIn(folder)).toHaveLength(3);
    const skipped = await holdall("put", ...paths, "--to", folder, "--on-conflict", "skip");
    expect(skipped.code).toBe(0);
    expect(lines(skipped).map(({ type }) => type)).toEqual(["skipped", "skipped", "skipped"]);
    const replaced = await holdall("put", ...paths, "--to", folder, "--on-conflict", "replace");
    expect(replaced).toMatchObject({ code: 0, stderr: "" });
    const { files } = await api(server).browse(folder);
    expect(files.find(({ name }) => name === "a.txt")?.size).toBe(5);
  });

  test("continues a large file after it was killed", async () => {
    const content = new Uint8Array(48 * 1024 * 1024).map((_, at) => at % 251);
    const path = write("large.bin", content);
    const folder = unique("put");
    const offsets: number[] = [];
    const isUnderWay = Promise.withResolvers<void>();
    const proxy = await startFaultProxy(server.url, (head) => {
      const [, offset] = /^PATCH.*\r\nupload-offset: (\d+)/is.exec(head) ?? [];
      if (offset !== undefined) offsets.push(Number(offset));
      if (offsets.length === 3) isUnderWay.resolve();
      return undefined;
    });
    const to = ["--to", `${folder}/large.bin`];
    const child = start(["put", path, ...to], { ...env, HOLDALL_URL: proxy.url });
    await isUnderWay.promise;
    child.kill("SIGKILL");
    await ended(child);
    const first = offsets.length;
    const again = await run(["put", path, ...to], { ...env, HOLDALL_URL: proxy.url });
    await proxy.close();
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(offsets[first]).toBeGreaterThanOrEqual(offsets[first - 1] ?? 0);
    const digest = await api(server).get(`/api/files/digest?key=${folder}/large.bin`);
    const { sha256 } = JSON.parse(digest.text).data;
    expect(sha256).toBe(createHash("sha256").update(content).digest("hex"));
    expect(readdirSync(join(local, "state/holdall/uploads"))).toEqual([]);
  });

  test.each([
    "put",
    "put nowhere.txt",
    "put /etc/hostname --visibility secret",
    "put /etc/hostname --on-conflict ask",
    "put /etc/hostname --to a/../b",
  ])("%s is refused with exit code 2 or 1, and a plain sentence", async (line) => {
    const refused = await holdall(...line.split(" "));
    expect([1, 2]).toContain(refused.code ?? -1);
    expect(refused.stderr.trim().length).toBeGreaterThan(10);
    expect(refused.stderr).not.toMatch(/\n\s+at /);
  });
});

test("put of an empty path does not upload the working folder", async () => {
  const refused = await holdall("put", "", "--to", unique("put"));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toBe('There is no file or folder "".\n');
});

test.each(["../y", "a/../b"])("put --to %s is a usage error", async (to) => {
  for (const path of [write("a.txt"), dirname(write("tree/a.txt"))]) {
    const refused = await holdall("put", path, "--to", to);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toStartWith(`--to "${to}": `);
  }
});

describe("put of a folder", () => {
  test("stores its content as one batch, with empty folders, without symbolic links", async () => {
    const folder = unique("put");
    for (const path of ["tree/a.txt", "tree/sub/b.txt"]) write(path);
    mkdirSync(join(local, "tree/empty"));
    symlinkSync("/etc", join(local, "tree/link"));
    const path = join(local, "tree");
    const stored = await holdall("put", path, "--to", folder);
    expect(stored).toMatchObject({ code: 0, stderr: "" });
    expect(lines(stored)).toEqual([
      { type: "ignored", path: "link", reason: "a symbolic link" },
      {
        type: "folder-stored",
        path,
        folder,
        files: 2,
        bytes: 24,
        added: 2,
        replaced: 0,
        skipped: 0,
      },
    ]);
    expect(await keysIn(folder)).toEqual([`${folder}/a.txt`, `${folder}/sub/b.txt`]);
    expect((await api(server).browse(`${folder}/empty`)).files).toEqual([]);
    await holdall("put", path, "--to", `${folder}/more/`);
    expect(await keysIn(`${folder}/more`)).toHaveLength(2);
  });

  test("a taken name stores nothing, and the message names it", async () => {
    const folder = unique("put");
    for (const name of ["a.txt", "b.txt"]) write(`tree/${name}`);
    await api(server).put(`${folder}/b.txt`);
    const refused = await holdall("put", join(local, "tree"), "--to", folder);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("b.txt");
    expect(await keysIn(folder)).toEqual([`${folder}/b.txt`]);
    const kept = await holdall("put", join(local, "tree"), "--to", folder, "--on-conflict", "skip");
    expect(kept.code).toBe(0);
    expect(await keysIn(folder)).toEqual([`${folder}/a.txt`, `${folder}/b.txt`]);
  });

  test("ends with 130 after Ctrl-C, and the same command continues the batch", async () => {
    const folder = unique("put");
    for (let at = 0; at < 200; at += 1) write(`tree/d${at % 40}/f${at}.txt`);
    let forms = 0;
    let batches = 0;
    const isUnderWay = Promise.withResolvers<void>();
    const proxy = await startFaultProxy(server.url, (head) => {
      if (/^POST \/api\/batches\/[^/]+\/files/.test(head)) forms += 1;
      if (forms === 10) isUnderWay.resolve();
      if (/^POST \/api\/batches /.test(head)) batches += 1;
      return undefined;
    });
    const words = ["put", join(local, "tree"), "--to", folder];
    const child = start(words, { ...env, HOLDALL_URL: proxy.url });
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });
    await isUnderWay.promise;
    child.kill("SIGINT");
    expect(await ended(child)).toBe(130);
    expect(stderr).toBe("Interrupted.\n");
    const before = forms;
    expect(before).toBeLessThan(40);
    expect((await api(server).json("GET", `/api/folders?key=${folder}`)).status).toBe(404);
    const again = await run(words, { ...env, HOLDALL_URL: proxy.url });
    await proxy.close();
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(batches).toBe(1);
    // Only requests that were in progress are repeated.
    expect(forms).toBeLessThanOrEqual(40 + 4);
    expect(await keysIn(folder)).toHaveLength(200);
    expect(readdirSync(join(local, "state/holdall/uploads"))).toEqual([]);
  });

  test("survives a server that restarts", async () => {
    const own = await startServer({ PORT: String(await freePort()) });
    for (let at = 0; at < 100; at += 1) write(`tree/d${at}/f.txt`);
    const put = run(["put", join(local, "tree"), "--to", "tree"], { ...env, HOLDALL_URL: own.url });
    // In the middle of the uploads, wherever that is.
    await Bun.sleep(400);
    await own.kill();
    await own.restart();
    expect(await put).toMatchObject({ code: 0, stderr: "" });
    await own.discard();
  });
});

test("a terminal shows the progress in one line, and the result as text", async () => {
  const folder = unique("put");
  for (let at = 0; at < 20; at += 1) write(`tree/d${at}/f.txt`, "0123456789");
  const gate = await startGate(server.port);
  let screen = "";
  const shown = Promise.withResolvers<void>();
  const child = Bun.spawn(holdallCommand("put", join(local, "tree"), "--to", folder), {
    cwd: root,
    env: { ...process.env, ...env, HOLDALL_URL: gate.url },
    terminal: {
      cols: 100,
      rows: 24,
      data(_terminal, data) {
        screen += new TextDecoder().decode(data);
        if (screen.includes("Uploading")) shown.resolve();
      },
    },
  });
  await shown.promise;
  gate.open();
  expect(await child.exited).toBe(0);
  await gate.close();
  expect(screen).toContain("\r\u001b[KUploading ");
  const path = join(local, "tree");
  expect(screen).toEndWith(
    `\r\u001b[KStored ${path} as ${folder}/: 20 files (200 bytes), 20 added, 0 replaced, 0 skipped\r\n`,
  );
});

/** A way to a local port that accepts connections, but forwards them only after `open`. */
async function startGate(port: number) {
  const opened = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const gate = createServer(async (client) => {
    sockets.add(client.on("error", () => {}));
    await opened.promise;
    const upstream = connect(port, "127.0.0.1").on("error", () => {});
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const address = gate.address();
  if (address === null || typeof address === "string") throw new Error("No port is available.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    open: opened.resolve,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      gate.close();
    },
  };
}

/** Starts `holdall ARGS` without waiting for its end. */
function start(args: readonly string[], environment: Environment): ChildProcess {
  const [program = "", ...words] = holdallCommand(...args);
  return spawn(program, words, {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

function holdallCommand(...args: readonly string[]): string[] {
  const program = process.env.HOLDALL_TEST_PROGRAM ?? "server/main.ts";
  return [join(root, "node_modules/.bin/bun"), program, ...args];
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once("close", (code) => resolve(code)));
