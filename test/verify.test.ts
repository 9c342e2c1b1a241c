import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { api } from "./client.ts";
import { eventually } from "./expectations.ts";
import { removeFolder, run, startServer, type TestServer, temporaryFolder } from "./harness.ts";
import type { FileShape } from "./shapes.ts";
import { isOnDisk } from "./test-stores.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.discard());

const verify = (...flags: string[]) => run(["verify", ...flags], { DATA_PATH: server.dataPath });

/** The path of a file's blob, from the catalog. */
function placeOf({ id }: FileShape): string {
  const catalog = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
  const row = catalog
    .query<{ blob: number }, [string]>("SELECT blob_id AS blob FROM files WHERE id = ?")
    .get(id);
  catalog.close();
  const blob = row?.blob ?? 0;
  const hex = (value: number, length: number) => value.toString(16).padStart(length, "0");
  return `${hex(Math.floor(blob / 256), 11)}/${hex(blob % 256, 2)}`;
}

const pathOf = (place: string): string => join(server.dataPath, "blobs", place);

function flip(file: FileShape): void {
  const path = pathOf(placeOf(file));
  const bytes = readFileSync(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  chmodSync(path, 0o600);
  writeFileSync(path, bytes);
}

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe.skipIf(!isOnDisk)("verify", () => {
  test("finds no errors, with and without a running server", async () => {
    await api(server).put("a/b/photo.jpg", "bytes");
    for (const isRunning of [true, false]) {
      if (!isRunning) await server.stop();
      const done = await verify();
      expect([done.code, done.stderr]).toEqual([0, ""]);
      expect(done.stdout).toMatch(
        /^Checked 1 files, 5 bytes read, in .* s\.\nNo problems found\.\n$/,
      );
    }
  });

  test("reports errors as text and JSON, and changes nothing", async () => {
    const damaged = await api(server).put("damaged", "bytes");
    const lost = await api(server).put("lost", "others");
    flip(damaged);
    rmSync(pathOf(placeOf(lost)));
    mkdirSync(pathOf("0abcdef0123"));
    writeFileSync(pathOf("0abcdef0123/0f"), "orphaned");
    writeFileSync(pathOf("\u001b[2Jred\nalert"), "steers");

    const people = await verify();
    expect([people.code, people.stderr]).toEqual([1, ""]);
    expect(people.stdout).not.toContain("\u001b");
    expect(people.stdout).toContain(
      `damaged  ${placeOf(damaged)}  ${damaged.id}  damaged: CRC-32 `,
    );
    expect(people.stdout).toContain(`missing  ${placeOf(lost)}  ${lost.id}  lost\n`);
    expect(people.stdout).toContain("0abcdef0123/0f");
    expect(people.stdout).toContain("red�alert");
    expect(people.stdout).toContain("--repair");

    const programs = await verify("--json");
    expect(programs.code).toBe(1);
    const output = lines(programs.stdout);
    expect(output.at(-1)).toMatchObject({
      type: "summary",
      depth: "bytes",
      complete: true,
      files: 2,
      repair: null,
      found: { missing: 1, damaged: 1, foreign: 2, catalog: 0 },
    });
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const shared = { checksum: expect.any(Number), sha256: digest, blobId: expect.any(Number) };
    expect(output.slice(0, -1)).toEqual(
      expect.arrayContaining([
        {
          type: "damaged",
          reason: "checksum",
          found: { size: 5, checksum: expect.any(Number), sha256: digest },
          id: damaged.id,
          key: "damaged",
          place: placeOf(damaged),
          size: 5,
          ...shared,
        },
        { type: "missing", id: lost.id, key: "lost", place: placeOf(lost), size: 6, ...shared },
        {
          type: "foreign",
          place: "0abcdef0123/0f",
          size: 8,
          leftOver: false,
          blobId: 0x0abcdef0123 * 256 + 15,
        },
        {
          type: "foreign",
          place: "\u001b[2Jred\nalert",
          size: null,
          leftOver: false,
          blobId: null,
        },
      ]),
    );
    const quick = await verify("--quick", "--json");
    expect(lines(quick.stdout).at(-1)).toMatchObject({
      found: { missing: 1, damaged: 0, foreign: 2, catalog: 0 },
    });
    expect(readdirSync(server.dataPath)).not.toContain("quarantine");
  });

  test("--repair moves orphans to quarantine and reports them; damaged files stay", async () => {
    const damaged = await api(server).put("damaged", "bytes");
    const lost = await api(server).put("lost", "others");
    await server.stop();
    flip(damaged);
    rmSync(pathOf(placeOf(lost)));
    writeFileSync(pathOf("note.txt"), "keep me");

    const repaired = await verify("--repair", "--json");
    expect([repaired.code, repaired.stderr]).toEqual([1, ""]);
    const output = lines(repaired.stdout);
    expect(output).toContainEqual({ type: "moved", place: "note.txt" });
    expect(output).toContainEqual({ type: "removed", id: lost.id, key: "lost" });
    const [time = ""] = readdirSync(join(server.dataPath, "quarantine"));
    const quarantine = join(server.dataPath, "quarantine", time);
    expect(output.at(-1)).toMatchObject({ repair: { moved: 1, removed: 1, quarantine } });
    expect(readFileSync(join(quarantine, "blobs/note.txt"), "utf8")).toBe("keep me");
    expect(lines(readFileSync(join(quarantine, "records.jsonl"), "utf8"))).toMatchObject([
      { id: lost.id, name: "lost", key: "lost", size: 6, visibility: "public" },
    ]);

    const again = await verify("--json");
    expect(again.code).toBe(1);
    expect(lines(again.stdout).map((line) => Object(line).type)).toEqual(["damaged", "summary"]);
    await server.restart();
    expect((await api(server).list()).map(({ id }) => id)).toEqual([damaged.id]);
  });

  test("--repair refuses if all blobs are missing, as with an unmounted volume", async () => {
    const file = await api(server).put("a", "bytes");
    await server.stop();
    rmSync(pathOf(placeOf(file)));
    const refused = await verify("--repair");
    expect([refused.code, refused.stdout]).toEqual([3, ""]);
    expect(refused.stderr).toContain("blob store is empty");
    expect((await verify()).code).toBe(1);
    const blobs = join(server.dataPath, "blobs");
    renameSync(blobs, `${blobs}.away`);
    const away = await verify();
    expect([away.code, away.stderr]).toEqual([3, expect.stringContaining("does not exist")]);
    expect(readdirSync(server.dataPath)).not.toContain("blobs");
  });

  test("exits with 3 and the reason if it cannot verify, and creates nothing", async () => {
    const empty = temporaryFolder();
    for (const path of [join(empty, "nothing"), empty]) {
      const refused = await run(["verify", "--json"], { DATA_PATH: path });
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(path)]);
      expect(lines(refused.stdout)).toEqual([
        { type: "error", message: expect.stringContaining("no instance") },
      ]);
    }
    expect(readdirSync(empty)).toEqual([]);
    removeFolder(empty);
    const wrong = await run(["verify"], { DATA_PATH: server.dataPath, PORT: "x" });
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining("PORT")]);
    await server.stop();
    writeFileSync(
      join(server.dataPath, "catalog.sqlite"),
      "This is a note, and no catalog at all.",
    );
    const damaged = await verify();
    expect([damaged.code, damaged.stderr]).toEqual([3, expect.stringContaining("damaged")]);
  });

  test.each(["verify now", "verify --last --repair", "verify --last --quick", "verify --fast"])(
    "%s is a usage error",
    async (words) => {
      const refused = await run(words.split(" "), { DATA_PATH: server.dataPath });
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain("holdall help");
    },
  );
});

describe.skipIf(!isOnDisk)("the scrub", () => {
  test("can be turned off", async () => {
    const other = await startServer({ SCRUB_EVERY: "0" });
    try {
      const last = await run(["verify", "--last"], other.env);
      expect([last.code, last.stderr]).toEqual([3, expect.stringContaining("SCRUB_EVERY")]);
    } finally {
      await other.discard();
    }
  });

  test("runs in the server, is logged once and can be shown", async () => {
    const damaged = await api(server).put("rot", "bytes");
    await api(server).put("whole", "bytes");
    flip(damaged);
    const scrubs = () => server.output().split("Scrub finished").length - 1;
    await server.restart({ SCRUB_EVERY: "1s" });
    await eventually("two scrubs have ended", () => scrubs() > 1);
    const output = server
      .output()
      .split("\n")
      .filter((line) => line.includes("the scrub found"));
    expect(output).toHaveLength(1);
    expect(output[0]).toContain(damaged.id);
    await server.stop();
    const last = await verify("--last");
    expect([last.code, last.stderr]).toEqual([1, ""]);
    expect(last.stdout).toContain(`damaged  ${placeOf(damaged)}  ${damaged.id}  rot: checksum`);
    const json = await verify("--last", "--json");
    expect(lines(json.stdout)).toMatchObject([
      { type: "scrub", found: 1, findings: [{ id: damaged.id, type: "damaged" }] },
    ]);
  });
});
