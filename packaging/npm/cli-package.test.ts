import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startFaultProxy } from "../../test/fault-proxy.ts";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "../../test/harness.ts";
import { npmInstall } from "../trial/npm-install.ts";
import { writeCliPackage } from "./cli-package.ts";
import { pack } from "./pack.ts";

/* The tarball, installed in an empty folder, runs in Node. */

const folder = temporaryFolder();
const project = join(folder, "project");
let server: TestServer;

beforeAll(async () => {
  await writeCliPackage(join(folder, "package"));
  npmInstall(project, [pack(join(folder, "package"), folder)]);
  server = await startServer();
});
afterAll(async () => {
  await server.discard();
  removeFolder(folder);
});

async function holdall(args: readonly string[], url = server.url) {
  const child = Bun.spawn([join(project, "node_modules/.bin/holdall"), ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: folder, HOLDALL_URL: url, HOLDALL_KEY: server.apiKey },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

test("uploads, lists and downloads a folder, and removes it with undo", async () => {
  mkdirSync(join(project, "site/assets"), { recursive: true });
  writeFileSync(join(project, "site/index.html"), "<h1>Harbour</h1>");
  const large = crypto.getRandomValues(new Uint8Array(65_536)).toBase64().repeat(300);
  writeFileSync(join(project, "site/assets/large.txt"), large);
  expect(await holdall(["put", "site", "--to", "www"])).toMatchObject({ code: 0, stderr: "" });
  expect((await holdall(["ls", "www", "--text"])).stdout).toContain("index.html");
  expect(await holdall(["get", "www", "copy"])).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(join(project, "copy/index.html"), "utf8")).toBe("<h1>Harbour</h1>");
  expect(readFileSync(join(project, "copy/assets/large.txt"), "utf8")).toBe(large);
  expect((await holdall(["rm", "www", "--recursive"])).code).toBe(0);
  expect((await holdall(["ls", "www"])).code).not.toBe(0);
  expect((await holdall(["undo"])).code).toBe(0);
  expect((await holdall(["ls", "www"])).code).toBe(0);
});

test("shares a file by a link, and revokes it", async () => {
  writeFileSync(join(project, "shared.txt"), "shared");
  expect((await holdall(["put", "shared.txt"])).code).toBe(0);
  const { stdout } = await holdall(["link", "shared.txt", "--share", "--text"]);
  const get = () => fetch(`${stdout.trim()}?download=1`);
  expect(await (await get()).text()).toBe("shared");
  expect(await holdall(["link", "shared.txt", "--revoke"])).toMatchObject({ code: 0, stderr: "" });
  expect((await get()).status).toBe(404);
});

test("continues a download whose connections are cut", async () => {
  const content = crypto.getRandomValues(new Uint8Array(3_000_000));
  writeFileSync(join(project, "cut.bin"), content);
  expect((await holdall(["put", "cut.bin"])).code).toBe(0);
  let cuts = 0;
  const proxy = await startFaultProxy(server.url, (head) => {
    if (!head.includes("/api/files/content") || cuts === 2) return undefined;
    cuts += 1;
    return "cut body";
  });
  try {
    const result = await holdall(["get", "cut.bin", "arrived.bin"], proxy.url);
    expect(result).toMatchObject({ code: 0 });
    expect(cuts).toBe(2);
    expect(readFileSync(join(project, "arrived.bin")).equals(content)).toBe(true);
  } finally {
    await proxy.close();
  }
});

test("downloads encoded content as it is stored", async () => {
  const encoded = gzipSync("decoded");
  const form = new FormData();
  form.append("metadata", JSON.stringify({ contentEncoding: "gzip" }));
  form.append("files", new File([encoded], "encoded.txt"));
  const headers = { "API-Key": server.apiKey };
  const stored = await fetch(`${server.url}/api/files`, { method: "POST", headers, body: form });
  expect(stored.status).toBe(200);
  const read = await fetch(`${server.url}/api/hosting/encoded.txt`);
  expect(await read.text()).toBe("decoded");
  const { code, stderr } = await holdall(["get", "encoded.txt", "encoded.gz"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(readFileSync(join(project, "encoded.gz")).equals(encoded)).toBe(true);
});

test("has only the remote commands", async () => {
  expect((await holdall([])).stdout).toContain("holdall put PATH|URL…");
  expect((await holdall(["serve"])).stderr).toContain('There is no command "serve"');
});
