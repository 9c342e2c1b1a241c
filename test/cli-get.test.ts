import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { api, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { type FaultName, startFaultProxy } from "./fault-proxy.ts";
import { type Finished, removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { field, filePart } from "./multipart.ts";

const server = await startServer();
afterAll(() => server.discard());

let local: string;
beforeEach(() => {
  local = temporaryFolder();
});
afterEach(() => removeFolder(local));

const holdallAt = (url: string, ...args: string[]): Promise<Finished> =>
  run(args, { HOLDALL_URL: url, HOLDALL_KEY: server.apiKey });
const holdall = (...args: string[]): Promise<Finished> => holdallAt(server.url, ...args);
const lines = ({ stdout }: Finished): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type !== "progress");
const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");
const randomBytes = (size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};
const read = (...path: string[]): Buffer => readFileSync(join(local, ...path));

/** The path of the hidden file of an interrupted download. */
const partIn = (folder: string): string | undefined =>
  readdirSync(folder).find((name) => /^\.holdall-[0-9a-f]{32}\.part$/.test(name));

/** A proxy that cuts downloads while `state.isCutting`, and notes where they start. */
async function startCutting() {
  const state = { isCutting: true, starts: [] as string[] };
  const proxy = await startFaultProxy(server.url, (head) => {
    if (!head.includes("/api/files/content")) return undefined;
    state.starts.push(/\r\nrange: bytes=(\d+)-/i.exec(head)?.[1] ?? "0");
    return state.isCutting ? "cut body" : undefined;
  });
  const program = process.env.HOLDALL_TEST_PROGRAM ?? "server/main.ts";
  return {
    state,
    get: (key: string) => holdallAt(proxy.url, "get", key, local),
    /** Starts a `get` and ends it with the signal once some bytes have arrived. */
    async interrupt(key: string, signal: NodeJS.Signals) {
      const start = () =>
        Bun.spawn([process.execPath, program, "get", key, local], {
          cwd: join(import.meta.dir, ".."),
          env: { ...process.env, HOLDALL_URL: proxy.url, HOLDALL_KEY: server.apiKey },
          stderr: "pipe",
        });
      let child = start();
      const hasBegun = () => {
        // It gives up when each of its connections was cut before it had read a byte.
        if (partSize() === 0 && child.exitCode !== null) child = start();
        return partSize() > 0;
      };
      // Often, or the download would be complete.
      await eventually("it has read a byte", hasBegun, 120_000, 5);
      child.kill(signal);
      return { code: await child.exited, stderr: await new Response(child.stderr).text() };
    },
    close: () => proxy.close(),
  };
}

function partSize(): number {
  const name = partIn(local);
  return name === undefined ? 0 : statSync(join(local, name)).size;
}

describe("get of a file", () => {
  test.each(["public", "private"])(
    "saves a %s file and compares its digest",
    async (visibility) => {
      const file = await api(server).put(`${unique("get")}/a.txt`, "hello", { visibility });
      const saved = await holdall("get", file.key, local);
      expect(saved).toMatchObject({ code: 0, stderr: "" });
      const path = join(local, "a.txt");
      expect(lines(saved)).toEqual([
        { type: "saved", key: file.key, path, size: 5, sha256: sha256("hello") },
      ]);
      expect(readFileSync(path, "utf8")).toBe("hello");
      expect(readdirSync(local)).toEqual(["a.txt"]);
    },
  );

  test("saves an empty file, and under another name", async () => {
    const { key } = await api(server).put(`${unique("get")}/empty`, "");
    expect((await holdall("get", key, join(local, "other.bin"))).code).toBe(0);
    expect(read("other.bin").length).toBe(0);
    // A folder that does not exist yet.
    expect(await holdall("get", key, `${join(local, "new/deep")}/`)).toMatchObject({ stderr: "" });
    expect(read("new/deep/empty").length).toBe(0);
  });

  test("saves the stored bytes of a file with a content encoding", async () => {
    const folder = unique("get");
    const packed = Bun.gzipSync(new TextEncoder().encode("unpacked"));
    const metadata = field("metadata", JSON.stringify({ contentEncoding: "gzip" }));
    await api(server).upload([field("folder", folder), metadata, filePart("a.txt", packed)]);
    expect((await holdall("get", `${folder}/a.txt`, local)).stderr).toBe("");
    expect(read("a.txt")).toEqual(Buffer.from(packed));
  });

  test("keeps a file with the same content, and refuses, skips or replaces another one", async () => {
    const { key } = await api(server).put(`${unique("get")}/a.txt`, "remote");
    const path = join(local, "a.txt");
    writeFileSync(path, "remote");
    expect(lines(await holdall("get", key, local))).toMatchObject([{ type: "kept" }]);

    writeFileSync(path, "local!");
    const refused = await holdall("get", key, local);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--on-conflict replace");
    const skipped = await holdall("get", key, local, "--on-conflict", "skip");
    expect(skipped.code).toBe(0);
    expect(lines(skipped)).toMatchObject([{ type: "skipped" }]);
    expect(read("a.txt").toString()).toBe("local!");
    expect((await holdall("get", key, local, "--on-conflict", "replace")).code).toBe(0);
    expect(read("a.txt").toString()).toBe("remote");
    expect(readdirSync(local)).toEqual(["a.txt"]);
  });

  test("continues after cut connections", async () => {
    const content = randomBytes(3_000_000);
    const { key } = await api(server).put(`${unique("get")}/a.bin`, content);
    let downloads = 0;
    const proxy = await startFaultProxy(server.url, (head): FaultName | undefined => {
      if (!head.includes("/api/files/content")) return undefined;
      downloads += 1;
      return downloads <= 3 ? "cut body" : undefined;
    });
    const saved = await holdallAt(proxy.url, "get", key, local);
    await proxy.close();
    expect(saved).toMatchObject({ code: 0, stderr: "" });
    expect(downloads).toBe(4);
    expect(sha256(read("a.bin"))).toBe(sha256(content));
  });

  test.each(["public", "private"])(
    "continues the %s download of an earlier process where it ended",
    async (visibility) => {
      const content = randomBytes(2_000_000);
      const file = await api(server).put(`${unique("get")}/a.bin`, content, { visibility });
      const cutting = await startCutting();
      await cutting.interrupt(file.key, "SIGKILL");
      expect(existsSync(join(local, "a.bin"))).toBe(false);
      const part = read(partIn(local) ?? "");
      expect(part.length).toBeGreaterThan(0);
      expect(part).toEqual(Buffer.from(content.subarray(0, part.length)));
      Object.assign(cutting.state, { isCutting: false, starts: [] });
      const second = await cutting.get(file.key);
      await cutting.close();
      expect(second).toMatchObject({ code: 0, stderr: "" });
      expect(cutting.state.starts).toEqual([String(part.length)]);
      expect(sha256(read("a.bin"))).toBe(sha256(content));
      expect(readdirSync(local)).toEqual(["a.bin"]);
    },
  );

  test("starts again if the bytes of an earlier process are wrong", async () => {
    const content = randomBytes(300_000);
    const { key } = await api(server).put(`${unique("get")}/a.bin`, content);
    const cutting = await startCutting();
    for (const damaged of [new Uint8Array(100_000), new Uint8Array(400_000)]) {
      Object.assign(cutting.state, { isCutting: true, starts: [] });
      await cutting.interrupt(key, "SIGKILL");
      writeFileSync(join(local, partIn(local) ?? ""), damaged);
      Object.assign(cutting.state, { isCutting: false, starts: [] });
      expect(await cutting.get(key)).toMatchObject({ code: 0, stderr: "" });
      expect(cutting.state.starts.at(-1)).toBe("0");
      expect(sha256(read("a.bin"))).toBe(sha256(content));
      unlinkSync(join(local, "a.bin"));
    }
    await cutting.close();
  });

  test("ends with 130 after Ctrl-C, keeps what has arrived, and continues", async () => {
    const content = randomBytes(2_000_000);
    const { key } = await api(server).put(`${unique("get")}/a.bin`, content);
    const cutting = await startCutting();
    const ended = await cutting.interrupt(key, "SIGINT");
    expect(ended).toEqual({ code: 130, stderr: "Interrupted.\n" });
    const { length } = read(partIn(local) ?? "");
    Object.assign(cutting.state, { isCutting: false, starts: [] });
    expect(await cutting.get(key)).toMatchObject({ code: 0 });
    await cutting.close();
    expect(cutting.state.starts).toEqual([String(length)]);
    expect(sha256(read("a.bin"))).toBe(sha256(content));
  });

  test("a key that does not exist is exit code 4", async () => {
    expect(await holdall("get", "nowhere/a.txt", local)).toMatchObject({ code: 4 });
    expect(readdirSync(local)).toEqual([]);
  });
});

describe("get of a folder", () => {
  test("saves the tree, continues it and keeps what is there", async () => {
    const folder = unique("get");
    await api(server).put(`${folder}/a.txt`, "a");
    await api(server).put(`${folder}/sub/deep/b.txt`, "b", { visibility: "private" });
    await api(server).folder(`${folder}/empty`);
    const target = join(local, "copy");
    const saved = await holdall("get", folder, target);
    expect(saved).toMatchObject({ code: 0, stderr: "" });
    expect(lines(saved).at(-1)).toEqual({
      type: "summary",
      path: target,
      saved: 2,
      kept: 0,
      skipped: 0,
      failed: 0,
      folders: 3,
      bytes: 2,
    });
    expect(read("copy/sub/deep/b.txt").toString()).toBe("b");
    expect(readdirSync(join(target, "empty"))).toEqual([]);

    await api(server).put(`${folder}/sub/c.txt`, "c");
    const again = lines(await holdall("get", folder, target)).at(-1);
    expect(again).toMatchObject({ saved: 1, kept: 2, failed: 0 });
  });

  test("reports what cannot be saved, and saves the rest", async () => {
    const folder = unique("get");
    for (const name of ["a.txt", "b.txt", "sub/c.txt"]) await api(server).put(`${folder}/${name}`);
    const outside = join(local, "outside");
    mkdirSync(outside);
    const target = join(local, "copy");
    mkdirSync(target);
    writeFileSync(join(target, "a.txt"), "mine");
    symlinkSync(outside, join(target, "sub"));
    const saved = await holdall("get", folder, target);
    expect(saved.code).toBe(1);
    expect(saved.stderr).toContain(`${folder}/a.txt: A local file with other content`);
    expect(saved.stderr).toContain(`${folder}/sub: There is a symbolic link`);
    expect(lines(saved).at(-1)).toMatchObject({ saved: 1, failed: 2 });
    expect(readdirSync(outside)).toEqual([]);
    expect(read("copy/a.txt").toString()).toBe("mine");
  });

  test("the root needs a local folder, and a local path is not empty", async () => {
    expect(await holdall("get", "/")).toMatchObject({ code: 2 });
    expect(await holdall("get", "/", "")).toMatchObject({ code: 2 });
  });
});

describe("a hostile server", () => {
  const evil = ["../up", "/abs", "a/b", "..", "", "nul\u0000", "esc\u001b[31m", "good"];

  /** Answers like Holdall, with names and bytes that it would never have. */
  function startHostile(digest: string) {
    const file = (name: string) => ({
      id: `id-${name}`,
      name,
      key: `k/${name}`,
      mimeType: "text/plain",
      size: 4,
      folderId: "f",
      visibility: "public",
      url: "",
      createdAt: "",
      updatedAt: "",
    });
    const folder = { id: "f", name: "k", key: "k", parentId: null, createdAt: "", updatedAt: "" };
    const subfolders = evil.slice(0, 4).map((name) => ({ ...folder, id: "none", name, key: name }));
    return Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        const json = (data: object) => Response.json({ data, error: null });
        if (pathname.startsWith("/api/files/content")) {
          const headers = { "Repr-Digest": `sha-256=:${digest}:` };
          return new Response("evil", { headers });
        }
        if (pathname === "/api/folders/size") return json({ files: 8, folders: 0, bytes: 32 });
        if (pathname === "/api/folders" && searchParams.get("id") !== "none") {
          const files = evil.map(file);
          return json({ folder, files, folders: subfolders, nextCursor: null });
        }
        const error = { message: "Not found\u001b[2J\u202e" };
        return Response.json({ data: null, error }, { status: 404 });
      },
    });
  }
  const right = createHash("sha256").update("evil").digest("base64");

  test("cannot write outside of the target folder, nor garble the terminal", async () => {
    const hostile = startHostile(right);
    const url = `http://127.0.0.1:${hostile.port}`;
    const target = join(local, "in/target");
    for (const option of ["--json", "--text"]) {
      const saved = await holdallAt(url, "get", "k/", target, option);
      expect(saved.code).toBe(1);
      const printed = `${saved.stdout}${saved.stderr}`.replaceAll("\n", "");
      expect(printed).not.toMatch(/\p{C}/u);
    }
    const listed = await holdallAt(url, "ls", "k/", "--text");
    expect(listed.stdout).toContain("esc\ufffd[31m");
    await hostile.stop(true);
    expect(readdirSync(target)).toEqual(["good"]);
    expect(readdirSync(join(local, "in"))).toEqual(["target"]);
    expect(readdirSync(local)).toEqual(["in"]);
  });

  test("a wrong digest leaves no file", async () => {
    const hostile = startHostile(createHash("sha256").update("else").digest("base64"));
    const saved = await holdallAt(`http://127.0.0.1:${hostile.port}`, "get", "k/", local);
    await hostile.stop(true);
    expect(saved.stderr).toContain("k/good: The bytes that arrived have the SHA-256");
    expect(readdirSync(local)).toEqual([]);
  });
});
