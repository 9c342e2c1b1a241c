import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { api, unique } from "./client.ts";
import { type Finished, removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
import { encodePng } from "./image-encoders.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnDisk } from "./test-stores.ts";

const server = await startServer();
const a = api(server);
const parent = temporaryFolder();
afterAll(async () => {
  await server.discard();
  removeFolder(parent);
});

const LIMIT = 60_000;
const holdall = (dataPath: string, ...args: string[]) => run(args, { DATA_PATH: dataPath }, LIMIT);
const backUp = (path: string) => holdall(server.dataPath, "backup", path);

let path: string;
beforeEach(() => {
  path = join(parent, unique("backup"));
});

function expectSuccess(ended: Finished): string {
  expect([ended.stderr, ended.code]).toEqual([ended.stderr, 0]);
  return ended.stdout;
}

function expectRefusal(ended: Finished, says: string): void {
  expect([ended.stderr, ended.code]).toEqual([ended.stderr, 1]);
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

/** All responses of a server on this data folder, with the bytes of its public files. */
async function everythingOf(dataPath: string) {
  const other = await startServer({ DATA_PATH: dataPath, INITIAL_API_KEY: undefined });
  try {
    // The backup contains the key.
    const there = api({ url: other.url, apiKey: server.apiKey });
    const files = await there.list();
    const bytes = [];
    for (const { url } of files) bytes.push((await there.get(`/${url}`)).text);
    return { files, bytes, root: (await there.browse("")).folders };
  } finally {
    await other.stop();
  }
}

async function everythingHere() {
  const files = await a.list();
  const bytes = [];
  for (const { url } of files) bytes.push((await a.get(`/${url}`)).text);
  return { files, bytes, root: (await a.browse("")).folders };
}

/** Smaller sizes of images, wherever they are. */
const variantsIn = (dataPath: string): string[] =>
  readdirSync(dataPath, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:webp|jpeg|png)$/.test(name),
  );

const pathOfBlob = (dataPath: string, size: number): string => {
  const found = blobsOf(dataPath).find((blob) => blob.endsWith(` ${size}`));
  return join(dataPath, "blobs", found?.split(" ")[0] ?? "none");
};

describe.skipIf(!isOnDisk)("backup while the server runs", () => {
  test("restores an instance with the same responses, keys and signed URLs", async () => {
    const base = unique("whole");
    await a.put(`${base}/a.txt`, "a");
    await a.put(`${base}/empty`, "");
    await a.put(`${base}/sub/größe 日本.bin`, Buffer.alloc(3_000_000, 7));
    await a.put(`${base}/private.txt`, "private", { visibility: "private" });
    await a.folder(`${base}/empty folder/inside`);
    const expected = await everythingHere();
    const said = expectSuccess(await backUp(path));
    expect(said).toContain(`Backed up ${expected.files.length} files`);
    expect(said).toContain(`from ${server.dataPath} to ${path} as of`);

    const restored = join(parent, unique("restored"));
    expect(expectSuccess(await holdall(restored, "restore", path))).toContain("Restored");
    expect(blobsOf(restored)).toEqual(blobsOf(server.dataPath));
    expect(readFileSync(join(restored, "auth-secret"))).toEqual(
      readFileSync(join(server.dataPath, "auth-secret")),
    );
    expect(await everythingOf(restored)).toEqual(expected);
  });

  test("leaves out the smaller sizes of images, which a restored instance makes again", async () => {
    const image = encodePng(400, 400, () => [0, 200, 0]);
    const file = await a.put(`${unique("sized")}/green.png`, image);
    const small = `/${file.url}?size=small`;
    const made = await a.get(small);
    expect(made.status).toBe(200);
    expect(variantsIn(server.dataPath)).not.toEqual([]);
    expectSuccess(await backUp(path));
    expect(variantsIn(path)).toEqual([]);
    const restored = join(parent, unique("restored"));
    expectSuccess(await holdall(restored, "restore", path));
    expect(variantsIn(restored)).toEqual([]);
    const other = await startServer({ DATA_PATH: restored, INITIAL_API_KEY: undefined });
    try {
      const again = await api({ url: other.url, apiKey: server.apiKey }).get(small);
      expect(again.bytes).toEqual(made.bytes);
    } finally {
      await other.stop();
    }
  });

  test("copies only new blobs the next time, and drops deleted ones", async () => {
    const old = await a.put(`${unique("next")}/old.txt`, Buffer.alloc(11_111));
    expectSuccess(await backUp(path));
    expect(existsSync(pathOfBlob(path, 11_111))).toBe(true);
    await a.put(`${unique("next")}/new.txt`, Buffer.alloc(22_222));
    await a.json("DELETE", "/api/files", { id: old.id });
    expect(expectSuccess(await backUp(path))).toMatch(
      /Copied 1 file \(21\.7 KB\), kept \d+, removed 1 of/,
    );
    expect(existsSync(pathOfBlob(path, 11_111))).toBe(false);
    expect(blobsOf(path)).toEqual(blobsOf(server.dataPath));
    expect(expectSuccess(await backUp(path))).toContain("Copied 0 files");
    expect(readdirSync(join(path, "blobs")).filter((name) => name.length !== 11)).toEqual([]);
  });

  test("removes what a killed backup has left of writes to the folder", async () => {
    expectSuccess(await backUp(path));
    for (const name of ["holdall.json.3456.new", "auth-secret.12.new"]) {
      writeFileSync(join(path, name), "half");
    }
    expectSuccess(await backUp(path));
    expect(readdirSync(path).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("verify passes over what an unfinished next backup has copied, and says so", async () => {
    expectSuccess(await backUp(path));
    const before = new Set(blobsOf(path));
    await a.put(`${unique("next")}/a.bin`, Buffer.alloc(66_616, 7));
    const file = join(path, "holdall.json");
    const marker = JSON.parse(readFileSync(file, "utf8"));
    expect(marker).not.toHaveProperty("isRenewed");
    // The state after a kill: the marker of the next backup, and some of its blobs.
    writeFileSync(file, JSON.stringify({ ...marker, isRenewed: true }));
    for (const blob of blobsOf(server.dataPath).filter((each) => !before.has(each))) {
      const [place = ""] = blob.split(" ");
      mkdirSync(dirname(join(path, "blobs", place)), { recursive: true });
      cpSync(join(server.dataPath, "blobs", place), join(path, "blobs", place));
    }
    const verified = await holdall(path, "verify");
    expect([verified.stderr, verified.code]).toEqual(["", 0]);
    expect(verified.stdout).toContain("The last backup into this folder is unfinished");
    expect(verified.stdout).toContain(`run \`holdall backup ${path}\` on its instance again`);
    expectSuccess(await backUp(path));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(marker);
    expect((await holdall(path, "verify")).stdout).not.toContain("unfinished");
  });

  test("can be served as it is, and is then no longer a backup", async () => {
    await a.put(`${unique("served")}/a.txt`);
    expectSuccess(await backUp(path));
    expect(await everythingOf(path)).toEqual(await everythingHere());
    expectRefusal(await backUp(path), "is a data folder, not a backup");
    expectRefusal(
      await holdall(join(parent, unique("never")), "restore", path),
      "is a data folder, not a backup",
    );
  });

  test("reports damaged files by key, copies the rest, and completes once the bytes are restored", async () => {
    const base = unique("damage");
    await a.put(`${base}/changed.bin`, Buffer.alloc(33_333, 1));
    await a.put(`${base}/missing.bin`, Buffer.alloc(44_444, 1));
    const changed = pathOfBlob(server.dataPath, 33_333);
    const missing = pathOfBlob(server.dataPath, 44_444);
    const good = readFileSync(missing);
    writeFileSync(changed, Buffer.alloc(33_333, 2));
    rmSync(missing);
    const ended = await backUp(path);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`${base}/changed.bin: its bytes have changed`);
    expect(ended.stderr).toContain(`${base}/missing.bin: its bytes are missing`);
    expect(ended.stdout).toContain("Damaged and skipped: 2 files.");
    expect(blobsOf(path)).toHaveLength(blobsOf(server.dataPath).length - 1);

    writeFileSync(changed, Buffer.alloc(33_333, 1));
    writeFileSync(missing, good);
    expect(expectSuccess(await backUp(path))).toContain("Copied 2 files");
    rmSync(pathOfBlob(path, 44_444));
    const restored = join(parent, unique("restored"));
    const half = await holdall(restored, "restore", path);
    expect(half.code).toBe(1);
    expect(half.stderr).toContain(`${base}/missing.bin: its bytes are missing`);
    expect(half.stdout).toContain("Damaged in the backup and skipped: 1 file.");
  });
});

describe.skipIf(!isOnDisk)("backup refuses", () => {
  test("a folder that contains other files, without touching them", async () => {
    mkdirSync(path);
    writeFileSync(join(path, "thesis.txt"), "precious");
    expectRefusal(await backUp(path), "is not empty and is not a data folder");
    expect(readdirSync(path)).toEqual(["thesis.txt"]);
  });

  test("the data folder, its subfolders and its parents", async () => {
    for (const one of [
      server.dataPath,
      join(server.dataPath, "backup"),
      join(server.dataPath, ".."),
    ]) {
      expectRefusal(await backUp(one), "must not contain each other");
    }
    expect(existsSync(join(server.dataPath, "backup"))).toBe(false);
  });

  test("the backup of another instance", async () => {
    const other = join(parent, unique("other"));
    await (await startServer({ DATA_PATH: other })).stop();
    const said = expectSuccess(await holdall(other, "backup", path));
    expect(said).toContain(`The instance in ${other} has no files.`);
    expectRefusal(await backUp(path), "belongs to another instance");
  });

  test("a missing data folder, without creating one", async () => {
    const nowhere = join(parent, unique("nowhere"));
    expectRefusal(
      await holdall(nowhere, "backup", path),
      `there is no instance of Holdall in ${nowhere}`,
    );
    expect(existsSync(nowhere)).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  test.each([[[]], [["a", "b"]]])("the arguments %j", async (args) => {
    expect((await holdall(server.dataPath, "backup", ...args)).code).toBe(2);
    expect((await holdall(server.dataPath, "restore", ...args)).code).toBe(2);
  });
});

describe.skipIf(!isOnDisk)("restore", () => {
  test("is not served when interrupted, and continues when it is run again", async () => {
    await a.put(`${unique("again")}/a.txt`);
    expectSuccess(await backUp(path));
    const restored = join(parent, unique("restored here"));
    // The state after a kill: a marker and some blobs, but no catalog.
    expectSuccess(await holdall(restored, "restore", path));
    const { backupOf } = JSON.parse(readFileSync(join(path, "holdall.json"), "utf8"));
    const marker = { layout: 1, backupOf, unfinished: "restore" };
    writeFileSync(join(restored, "holdall.json"), JSON.stringify(marker));
    rmSync(join(restored, "catalog.sqlite"));
    const [lost = ""] = blobsOf(restored);
    rmSync(join(restored, "blobs", lost.split(" ")[0] ?? ""));

    const again = `run \`DATA_PATH='${restored}' holdall restore PATH\` again`;
    expectRefusal(await holdall(restored, "serve"), again);
    expectRefusal(await holdall(restored, "keys", "list"), again);
    expect(expectSuccess(await holdall(restored, "restore", path))).toContain("An earlier attempt");
    expect(await everythingOf(restored)).toEqual(await everythingHere());
  });

  test("refuses a data folder in use and an incomplete backup", async () => {
    expectSuccess(await backUp(path));
    expectRefusal(await holdall(server.dataPath, "restore", path), "is not empty");
    const fresh = join(parent, unique("fresh"));
    expectRefusal(await holdall(fresh, "restore", join(parent, "none")), "is not a backup");
    const other = join(parent, unique("an instance"));
    await (await startServer({ DATA_PATH: other })).stop();
    expectRefusal(
      await holdall(fresh, "restore", other),
      `make a backup of it with \`DATA_PATH='${other}' holdall backup PATH\``,
    );
    const { backupOf } = JSON.parse(readFileSync(join(path, "holdall.json"), "utf8"));
    const marker = { layout: 1, backupOf, unfinished: "backup" };
    writeFileSync(join(path, "holdall.json"), JSON.stringify(marker));
    const again = `is an unfinished backup: run \`holdall backup ${path}\` on its instance again`;
    expectRefusal(await holdall(fresh, "restore", path), again);
    expectRefusal(await holdall(path, "keys", "list"), again);
    expect(existsSync(fresh)).toBe(false);
    expect(expectSuccess(await backUp(path))).toContain("Copied 0 files");
    expectSuccess(await holdall(fresh, "restore", path));
  });
});
