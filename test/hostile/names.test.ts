import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../client.ts";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "../harness.ts";
import { checkNameRoundTrip } from "./check-name-round-trip.ts";
import { hostileName, storedName } from "./hostile-name.ts";
import { createSeededRandom } from "./seeded-random.ts";

let server: TestServer;
const folder = temporaryFolder();
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.discard();
  removeFolder(folder);
});

test("100 hostile names are rejected, or come back unchanged from every endpoint and the export", async () => {
  const accepted = new Set<string>();
  for (let seed = 0; seed < 100; seed += 1) {
    const name = hostileName(createSeededRandom(seed));
    if (accepted.has(storedName(name) ?? "")) continue;
    const { stored, problem } = await checkNameRoundTrip(server, "names", name);
    expect({ name, problem }).toEqual({ name, problem: "" });
    if (stored !== undefined) accepted.add(stored);
  }
  expect(accepted.size).toBeGreaterThan(40);
  const target = join(folder, "export");
  const exported = await run(["export", target], { DATA_PATH: server.dataPath });
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  expect(readdirSync(join(target, "names")).sort()).toEqual([...accepted].sort());
});

describe("curl -OJ saves a download under the file's name", () => {
  // ASCII names only: curl reads just `filename`, which has "_" for other characters.
  test.each([
    "plain.txt",
    "two words.txt",
    "100%.txt",
    "it's; a=b, c.txt",
    "-rf",
    "<b>&amp;.html",
    "a..b",
  ])("%s", async (name) => {
    const file = await api(server).put(`curl/${name}`, name);
    const target = temporaryFolder();
    const args = [
      "-sSOJ",
      "-H",
      `API-Key: ${server.apiKey}`,
      `${server.url}/api/files/download/${file.id}`,
    ];
    const { status, stderr } = spawnSync("curl", args, { cwd: target });
    expect([status, String(stderr)]).toEqual([0, ""]);
    expect(readdirSync(target)).toEqual([name]);
    expect(readFileSync(join(target, name), "utf8")).toBe(name);
    removeFolder(target);
  });
});
