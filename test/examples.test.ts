import { afterAll, expect, test } from "bun:test";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { closeVisits, visit } from "../e2e/browser.ts";
import { writeSdkPackage } from "../packaging/npm/sdk-package.ts";
import { api } from "./client.ts";
import { removeFolder, startServer, temporaryFolder } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

/* The examples run as they are. */

const EXAMPLES = join(import.meta.dir, "../examples");
const server = await startServer();
const folder = temporaryFolder();
const env = { ...process.env, HOLDALL_URL: server.url, HOLDALL_KEY: server.apiKey };
afterAll(async () => {
  await closeVisits();
  await server.discard();
  removeFolder(folder);
});

for (const [name, program, args] of [
  ["python", "python3", ["files.py"]],
  ["go", "go", ["run", "files.go"]],
  ["php", "php", ["files.php"]],
] as const) {
  test.skipIf(isMissing(program, Bun.which(program) !== null))(name, async () => {
    const cwd = join(EXAMPLES, name);
    const home = { HOME: folder, GOCACHE: join(folder, "go"), GOFLAGS: "-mod=mod" };
    const child = Bun.spawn([program, ...args], { cwd, env: { ...env, ...home }, stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(stderr).toBe("");
    expect(await child.exited).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toContain(`${name}/notes.txt`);
    expect(lines[1]).toBe("Low tide at six.");
    expect(lines[2]).toStartWith(`${server.url}/api/hosting/${name}/notes.txt?`);
    // It deletes what it stored.
    expect((await fetch(lines[2] ?? "")).status).toBe(404);
  });
}

/** The folder of an app with its SDK. */
function prepareApp(name: string): string {
  const app = join(folder, name);
  cpSync(join(EXAMPLES, name), app, { recursive: true });
  writeSdkPackage(join(app, "node_modules/@holdall/sdk"));
  return app;
}

async function startApp(app: string): Promise<{ child: Subprocess; url: string }> {
  const child = Bun.spawn(["node", "server.mjs"], { cwd: app, env: { ...env, PORT: "0" } });
  const { value } = await child.stdout.getReader().read();
  return { child, url: new TextDecoder().decode(value).trim() };
}

async function stopApp(child: Subprocess): Promise<void> {
  child.kill();
  await child.exited;
}

test("uppy", async () => {
  const app = prepareApp("uppy");
  // Builds the script as esbuild does it, with the packages of the tests.
  const build = join(folder, "build");
  cpSync(join(app, "uploads.js"), join(build, "uploads.js"));
  symlinkSync(join(import.meta.dir, "../node_modules"), join(build, "node_modules"));
  const { success } = await Bun.build({
    entrypoints: [join(build, "uploads.js")],
    target: "browser",
    outdir: join(app, "dist"),
  });
  expect(success).toBe(true);
  const { child, url } = await startApp(app);
  try {
    const { page, consoleErrors } = await visit(url);
    await page.goto(url);
    const files = ["one", "two"].map((name) => ({
      name: `${name}.txt`,
      mimeType: "text/plain",
      buffer: Buffer.from(`${name} with Uppy`),
    }));
    await page.getByLabel("Files").setInputFiles(files);
    for (const { name, buffer } of files) {
      await page.getByText(`${name}: stored`).waitFor();
      expect((await api(server).get(`/api/hosting/inbox/${name}`)).text).toBe(buffer.toString());
    }
    const bad = { name: "..", mimeType: "text/plain", buffer: Buffer.from("x") };
    await page.getByLabel("Files").setInputFiles(bad);
    await page.getByText(/^\.\.: .*name/i).waitFor();
    const REFUSED_NAME = /\b502\b|^\[Uppy\] \[[^\]]*\] A name must not be `\.` or `\.\.`\.$/;
    expect(consoleErrors.filter((text) => !REFUSED_NAME.test(text))).toEqual([]);
  } finally {
    await stopApp(child);
  }
});

test("page", async () => {
  const { child, url } = await startApp(prepareApp("page"));
  try {
    const { page, consoleErrors } = await visit(url);
    await page.goto(url);
    const buffer = Buffer.from("from a page");
    const good = { name: "a b.txt", mimeType: "text/plain", buffer };
    await page.getByLabel("Files").setInputFiles(good);
    await page.getByText("a b.txt: stored as inbox/a b.txt").waitFor();
    expect((await api(server).get("/api/hosting/inbox/a%20b.txt")).text).toBe("from a page");
    // A name that the server refuses is told.
    const bad = { name: "..", mimeType: "text/plain", buffer: Buffer.from("x") };
    await page.getByLabel("Files").setInputFiles(bad);
    await page.getByText(/^\.\.: .*name/i).waitFor();
    expect(consoleErrors.filter((text) => !text.includes("502"))).toEqual([]);
  } finally {
    await stopApp(child);
  }
});
