import { afterAll, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
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

test("page", async () => {
  const app = join(folder, "page");
  cpSync(join(EXAMPLES, "page"), app, { recursive: true });
  writeSdkPackage(join(app, "node_modules/@holdall/sdk"));
  const child = Bun.spawn(["node", "server.mjs"], { cwd: app, env: { ...env, PORT: "0" } });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const url = new TextDecoder().decode(value).trim();
  const { page, consoleErrors } = await visit(url);
  await page.goto(url);
  const buffer = Buffer.from("from a page");
  await page.getByLabel("Files").setInputFiles({ name: "a b.txt", mimeType: "text/plain", buffer });
  await page.getByText("a b.txt: stored as inbox/a b.txt").waitFor();
  expect((await api(server).get("/api/hosting/inbox/a%20b.txt")).text).toBe("from a page");
  // A name that the server refuses is told.
  const bad = Buffer.from("x");
  await page.getByLabel("Files").setInputFiles({ name: "..", mimeType: "text/plain", buffer: bad });
  await page.getByText(/^\.\.: .*name/i).waitFor();
  expect(consoleErrors.filter((text) => !text.includes("502"))).toEqual([]);
  child.kill();
  await child.exited;
});
