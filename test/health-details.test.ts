import { afterAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { healthDetails, healthScrub } from "../contract/objects/health.ts";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { newKeyData } from "./shapes.ts";
import { isOnDisk, isOnS3 } from "./test-stores.ts";

const server = await startServer({ SCRUB_EVERY: "0", SCRUB_RATE: "1gb" });
const backups = temporaryFolder();
afterAll(async () => {
  await server.discard();
  removeFolder(backups);
});
const a = api(server);

const read = async () => expectData(await a.get("/api/health/details"), healthDetails);

async function checkAll() {
  expect((await a.json("POST", "/api/health/scrub", {})).status).toBe(200);
  await eventually("the check is done", async () => (await read()).scrub.state === "finished");
  return (await read()).scrub;
}

test("shows an instance that has never been checked or backed up", async () => {
  const health = await read();
  expect(health.parts.map(({ part, problem }) => [part, problem])).toEqual([
    ["catalog", null],
    ["blobs", null],
  ]);
  expect(health.workers.running).toBe(health.workers.configured);
  expect(health.storage.volume?.free).toBeLessThanOrEqual(health.storage.volume?.size ?? 0);
  expect(health.catalog.bytes).toBeGreaterThan(0);
  expect(health.scrub).toMatchObject({
    state: "never",
    every: null,
    rate: 1024 ** 3,
    findings: [],
  });
  expect(health).toMatchObject({
    verification: null,
    backup: null,
    lostRecords: null,
    quarantine: { count: 0, latest: null },
    uploads: { open: 0 },
    // Printed commands need it, since the test sets DATA_PATH.
    dataPath: server.dataPath,
  });
});

test("shows each background job, which all succeed", async () => {
  await eventually("all jobs have run", async () => {
    const { jobs } = await read();
    return jobs.length > 0 && jobs.every(({ succeededAt }) => succeededAt !== null);
  });
  const { jobs } = await read();
  expect(jobs.map(({ name }) => name)).toContain("expired trash and versions");
  for (const { lastError, failures } of jobs) expect([lastError, failures]).toEqual([null, 0]);
});

test("checks all files on request, although scrubs are turned off", async () => {
  const folder = unique("checked");
  for (let index = 0; index < 5; index += 1) await a.put(`${folder}/${index}.txt`, `file ${index}`);
  expect(await checkAll()).toMatchObject({ files: 5, bytes: 30, found: 0 });
  await eventually("the files are counted", async () => (await read()).storage.files === 5);
});

test.skipIf(isOnS3)("names damaged files", async () => {
  const { id, key } = await a.put(unique("damaged"), "soon damaged");
  damage("soon damaged", "soon DAMAGED");
  const { found, findings } = await checkAll();
  expect(found).toBe(1);
  expect(findings).toEqual([{ type: "damaged", fileId: id, key, place: expect.any(String) }]);
  const { scrub } = expectData(
    await a.json("POST", "/api/health/scrub", {}),
    z.strictObject({ scrub: healthScrub }),
  );
  expect(scrub.found + scrub.earlier).toBe(1);
  await eventually("the check is done", async () => (await read()).scrub.state === "finished");
});

test.skipIf(!isOnDisk)("shows the last verify and the last backup", async () => {
  const { code } = await run(["verify", "--quick"], server.env);
  expect(code).toBe(0);
  const backup = await run(["backup", join(backups, "one")], server.env);
  // One of the files is damaged.
  expect(backup.code).toBe(1);
  await eventually("both are shown", async () => (await read()).backup !== null);
  const health = await read();
  expect(health.verification).toMatchObject({ quick: true, repaired: false, files: 6, damaged: 0 });
  expect(health.backup).toMatchObject({ path: join(backups, "one"), files: 5, damaged: 1 });
  const restored = await run(["verify", "--quick"], {
    ...server.env,
    DATA_PATH: join(backups, "one"),
  });
  expect(restored.code).toBe(1);
});

test("is refused to keys without every right", async () => {
  const rights = { name: unique("key"), actions: ["read", "list", "write", "delete", "share"] };
  const { secret } = expectData(await a.json("POST", "/api/keys", rights), newKeyData);
  const limited = api({ ...server, apiKey: secret });
  expectFault(await limited.get("/api/health/details"), 403);
  expectFault(await limited.json("POST", "/api/health/scrub", {}), 403);
});

/** Changes the bytes of the blob with this content. */
function damage(content: string, other: string): void {
  const blobs = join(server.dataPath, "blobs");
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" })) {
    const path = join(blobs, name);
    if (!statSync(path).isFile() || readFileSync(path, "utf8") !== content) continue;
    chmodSync(path, 0o600);
    writeFileSync(path, other);
  }
}
