import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { healthDetails } from "../contract/objects/health.ts";
import { api } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnDisk } from "./test-stores.ts";

let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startServer({ WORKERS: "1" });
  folder = temporaryFolder();
});
afterEach(async () => {
  await server.discard();
  removeFolder(folder);
});

const inData = (name: string): string => join(server.dataPath, name);
const catalog = (): string => inData("catalog.sqlite");
const log = (): string => inData("catalog.sqlite-wal");

async function upload(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) await api(server).put(`f${n}`, `content ${n}`);
}

/** The texts of all blobs in the store and in the quarantines, sorted. */
function allTexts(): string[] {
  const texts = ["blobs", "quarantine"].flatMap((name) =>
    existsSync(inData(name))
      ? readdirSync(inData(name), { recursive: true, encoding: "utf8" })
          .map((entry) => join(inData(name), entry))
          .filter((path) => statSync(path).isFile() && !path.endsWith("-wal"))
          .map((path) => readFileSync(path, "utf8"))
      : [],
  );
  return texts.sort();
}

const contents = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `content ${n}`).sort();

const keys = async (): Promise<string[]> => (await api(server).list()).map(({ key }) => key).sort();

const verify = (...flags: string[]) => run(["verify", ...flags], { DATA_PATH: server.dataPath });

/** Waits until the server has printed this. An error says what it printed instead. */
async function printed(text: string): Promise<void> {
  try {
    await eventually(`"${text}" is printed`, () => server.output().includes(text));
  } catch (cause) {
    throw new Error(server.output(), { cause });
  }
}

const isSwept = (): Promise<void> =>
  eventually("the sweep has run", async () => (await verify("--json")).stdout.includes("summary"));

/** Flips a bit in the middle of the log: of a frame that a later one follows. */
function flipInLog(): void {
  const bytes = readFileSync(log());
  const frames = Math.floor((bytes.length - 32) / 4120);
  const at = 32 + Math.floor(frames / 2) * 4120 + 1000;
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(log(), bytes);
}

describe.skipIf(!isOnDisk)("a damaged log", () => {
  beforeEach(async () => {
    await upload(0, 10);
    await server.kill();
    flipInLog();
  });

  test("loses records, but no bytes, and is reported until a repair", async () => {
    const damagedLog = readFileSync(log());
    await server.restart();
    const listed = await keys();
    expect(listed.length).toBeLessThan(10);
    await printed("blobs without a record to the quarantine");
    expect(allTexts()).toEqual(contents(10));
    expect(server.output()).toContain(`damage: The log ${log()} is damaged: frame `);
    expect(server.output()).toContain(
      `Until you run \`DATA_PATH=${server.dataPath} holdall verify --repair\`, blobs`,
    );
    expect(blobsOf(server.dataPath)).toHaveLength(listed.length);
    const [quarantine = ""] = readdirSync(inData("quarantine")).sort();
    expect(readFileSync(join(inData("quarantine"), quarantine, "catalog.sqlite-wal"))).toEqual(
      damagedLog,
    );

    await upload(10, 1);
    await server.stop();
    const found = await verify();
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringContaining("lost-records: The log"),
    ]);
    expect((await verify("--repair")).code).toBe(1);
    expect((await verify()).code).toBe(0);
    const from = server.output().length;
    await server.restart();
    await isSwept();
    expect(server.output().slice(from)).not.toContain("damage");
    expect(allTexts()).toEqual(contents(11));
    const { verification, lostRecords } = expectData(
      await api(server).get("/api/health/details"),
      healthDetails,
    );
    expect([verification?.catalog, lostRecords]).toEqual([0, null]);
  });

  test("refuses a move, and names the command that repairs the instance", async () => {
    const to = join(folder, "to.env");
    writeFileSync(to, `DATA_PATH=${join(folder, "new")}\n`);
    const moved = await run(["migrate", "--to", to], { DATA_PATH: server.dataPath });
    expect([moved.stderr, moved.code]).toEqual([
      expect.stringContaining(`run \`DATA_PATH=${server.dataPath} holdall verify --repair\`, and`),
      1,
    ]);
  });

  test("is noted before anything else opens the catalog", async () => {
    const first = await run(["keys", "list"], { DATA_PATH: server.dataPath });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("is damaged: frame ")]);
    await server.restart();
    await printed("blobs without a record to the quarantine");
    expect(allTexts()).toEqual(contents(10));
    await server.kill();
    await server.restart();
    expect(server.output()).toContain("damage, noted 20");
    expect(allTexts()).toEqual(contents(10));
  });
});

describe.skipIf(!isOnDisk)("no damage", () => {
  test("an incomplete last frame is silent, and interrupted uploads leave nothing", async () => {
    await upload(0, 3);
    await server.kill();
    const { size } = statSync(log());
    truncateSync(log(), size - 100);
    await server.restart();
    await isSwept();
    expect(server.output()).not.toContain("is damaged");
    await server.kill();
  });

  test("a kill without damage is silent", async () => {
    await upload(0, 3);
    await server.kill();
    await server.restart();
    await isSwept();
    expect(await keys()).toEqual(["f0", "f1", "f2"]);
    expect(server.output()).not.toContain("damage");
    expect(existsSync(inData("quarantine"))).toBe(false);
  });
});

describe.skipIf(!isOnDisk)("an older catalog", () => {
  test("keeps the bytes of files that only the newer one knew", async () => {
    await upload(0, 3);
    // A copy of a running server's catalog has its leases.
    for (const name of ["catalog.sqlite", "catalog.sqlite-wal"]) {
      copyFileSync(inData(name), join(folder, name));
    }
    await upload(3, 7);
    await server.stop();
    for (const name of ["catalog.sqlite", "catalog.sqlite-wal"]) {
      copyFileSync(join(folder, name), inData(name));
    }
    await server.restart();
    expect(await keys()).toEqual(["f0", "f1", "f2"]);
    await printed("moved 7 blobs without a record to the quarantine");
    expect(server.output()).toContain("damage: The catalog is older than the blobs");
    expect(allTexts()).toEqual(contents(10));
    expect((await verify()).stdout).toContain("lost-records: The catalog is older");
  });
});

describe.skipIf(!isOnDisk)("a lost catalog", () => {
  const start = () => run(["serve"], { ...server.env, PORT: "0" });

  async function expectRefusal(what: RegExp): Promise<void> {
    for (const result of [await start(), await verify()]) {
      expect(result.code).not.toBe(0);
      const printed = `${result.stdout}${result.stderr}`.trim();
      expect(printed).toMatch(what);
      expect(printed).toContain(server.dataPath);
      expect(printed.split("\n")).toHaveLength(1);
      expect(printed).not.toContain("setup");
    }
  }

  test("of 0 bytes is refused, with and without a log", async () => {
    await upload(0, 3);
    await server.kill();
    const bytes = readFileSync(catalog());
    writeFileSync(catalog(), "");
    const before = readFileSync(log());
    await expectRefusal(/is empty \(0 bytes\)/);
    expect(readFileSync(log())).toEqual(before);
    writeFileSync(catalog(), bytes);
    await server.restart();
    expect(await keys()).toEqual(["f0", "f1", "f2"]);
    await server.stop();
    writeFileSync(catalog(), "");
    await expectRefusal(/is empty \(0 bytes\)/);
    expect(allTexts()).toEqual(contents(3));
  });

  test("is refused where there are no files, only accounts and keys", async () => {
    await server.stop();
    writeFileSync(catalog(), "");
    await expectRefusal(/is empty \(0 bytes\)/);
    rmSync(catalog());
    await expectRefusal(/is missing|has no catalog/);
  });

  test("is no reason to refuse an interrupted first start", async () => {
    for (const catalogFile of [false, true]) {
      await server.stop();
      rmSync(server.dataPath, { recursive: true });
      mkdirSync(server.dataPath);
      writeFileSync(inData("holdall.json"), '{"layout":1}\n');
      if (catalogFile) writeFileSync(catalog(), "");
      await server.restart();
      await upload(0, 1);
    }
    await server.kill();
    writeFileSync(inData("holdall.json"), '{"layout":1}\n');
    writeFileSync(catalog(), "");
    await expectRefusal(/is empty \(0 bytes\)/);
  });
});
