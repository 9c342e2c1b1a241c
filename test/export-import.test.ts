import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { api, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import { type Finished, removeFolder, run, startServer, temporaryFolder } from "./harness.ts";
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
const holdall = (...args: string[]) => run(args, { DATA_PATH: server.dataPath }, LIMIT);

let path: string;
beforeEach(() => {
  path = join(parent, unique("tree"));
});

function expectEnd(ended: Finished, code: number): string {
  expect([ended.stdout, ended.stderr, ended.code]).toEqual([ended.stdout, ended.stderr, code]);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
  return ended.stdout + ended.stderr;
}

/** Paths of everything below a folder, with the content of files. */
function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const found = lstatSync(join(root, name));
    if (found.isFile()) tree[name] = readFileSync(join(root, name)).toString("base64");
    else tree[name] = found.isDirectory() ? "folder" : "other";
  }
  return tree;
}

function write(files: Record<string, string | Uint8Array>): void {
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), content);
  }
}

describe("export --manifest", () => {
  test.skipIf(!isOnDisk)(
    "writes a file that sha256sum -c accepts, and keeps the file at its place",
    async () => {
      const base = unique("manifest");
      const names = ["a", "x/b c", "x/größe/日本語", "-", "*", " x ", "%s", "x/-rf", "'\""];
      for (const name of names) await a.put(`${base}/${name}`, name);
      const sums = `${path}.sums`;
      const args = ["export", path, "--folder", base, "--manifest", sums];
      expect(expectEnd(await holdall(...args), 0)).toContain(`sha256sum -c ${sums}`);
      const check = () =>
        Bun.spawnSync(["sha256sum", "--strict", "-c", sums], { cwd: path, stderr: "pipe" });
      expect(check().stderr.toString()).toBe("");
      expect(check().stdout.toString().trim().split("\n")).toHaveLength(names.length);
      expect(check().exitCode).toBe(0);
      expect(expectEnd(await holdall(...args), 1)).toContain("exists");
      writeFileSync(join(path, "a"), "b");
      expect(check().exitCode).toBe(1);
      expect(readdirSync(parent).filter((name) => name.endsWith(".new"))).toEqual([]);
    },
  );

  test("refuses a manifest inside the export before it writes anything", async () => {
    const base = unique("collision");
    await a.put(`${base}/SUMS`, "a stored file of this name");
    const link = `${path}.link`;
    symlinkSync(parent, link);
    const throughLink = join(link, basename(path), "SUMS");
    for (const sums of [join(path, "SUMS"), join(path, "x/other"), path, throughLink]) {
      const ended = await holdall("export", path, "--folder", base, "--manifest", sums);
      expect(expectEnd(ended, 1)).toContain(`"${sums}" is inside "${path}"`);
      expect(existsSync(path)).toBe(false);
    }
  });
});

describe.skipIf(!isOnDisk)("export while the server runs", () => {
  test("writes files and folders under their names, with the time of their content", async () => {
    const base = unique("export");
    const odd = [
      "a b.txt",
      "größe",
      "日本語",
      "quote\"'",
      "100%",
      "#hash?",
      "-rf",
      ".hidden",
      "a:b*",
    ];
    for (const name of odd) await a.put(`${base}/odd/${name}`, name);
    const big = Buffer.alloc(3_000_001, 9);
    const file = await a.put(`${base}/deep/er/big.bin`, big, { visibility: "private" });
    await a.put(`${base}/empty`, "");
    await a.folder(`${base}/nothing/inside`);
    expect(expectEnd(await holdall("export", path, "--folder", base), 0)).toContain(
      "Exported 11 files",
    );
    const text = (content: string | Buffer) => Buffer.from(content).toString("base64");
    expect(treeOf(path)).toEqual({
      odd: "folder",
      ...Object.fromEntries(odd.map((name) => [`odd/${name}`, text(name)])),
      deep: "folder",
      "deep/er": "folder",
      "deep/er/big.bin": text(big),
      empty: "",
      nothing: "folder",
      "nothing/inside": "folder",
    });
    const modified = statSync(join(path, "deep/er/big.bin")).mtime.toISOString();
    expect(modified.slice(0, 19).replace("T", " ")).toBe(file.createdAt);
  });

  test("continues an interrupted export and replaces no other files", async () => {
    const base = unique("again");
    for (const name of ["a", "b", "c", "d", "sub/e", "link/f", "file/g"]) {
      await a.put(`${base}/${name}`, `content of ${name}`);
    }
    expectEnd(await holdall("export", path, "--folder", base), 0);
    expect(expectEnd(await holdall("export", path, "--folder", base), 0)).toContain(
      "Exported 0 files (0 bytes) to",
    );
    // The same content at another time is the same file.
    utimesSync(join(path, "b"), 1, 1);
    expect(expectEnd(await holdall("export", path, "--folder", base), 0)).toContain("kept 7");

    const other = join(parent, unique("outside"));
    mkdirSync(other);
    const second = join(parent, unique("second"));
    mkdirSync(second);
    writeFileSync(join(second, "a"), "mine, not Holdall's");
    writeFileSync(join(second, "b"), "content of c");
    symlinkSync(join(other, "c"), join(second, "c"));
    symlinkSync(other, join(second, "link"));
    symlinkSync(other, join(second, ".holdall-unfinished-\u2126"));
    writeFileSync(join(second, "file"), "in the way");
    const said = expectEnd(await holdall("export", second, "--folder", base), 1);
    for (const name of ["a", "b", "c"]) {
      expect(said).toContain(
        `${base}/${name}: something else already exists at this path and was not changed`,
      );
    }
    for (const name of ["link", "file"]) {
      expect(said).toContain(
        `${base}/${name}: something other than a folder already exists at this path`,
      );
    }
    expect(said).toContain("Skipped 5");
    expect(readFileSync(join(second, "a"), "utf8")).toBe("mine, not Holdall's");
    expect(readFileSync(join(second, "b"), "utf8")).toBe("content of c");
    expect(readdirSync(other)).toEqual([]);
    expect(readdirSync(second).sort()).toEqual(["a", "b", "c", "d", "file", "link", "sub"]);
  });

  test("skips damaged files and names their keys", async () => {
    const base = unique("damaged");
    await a.put(`${base}/good`, "good");
    await a.put(`${base}/bad`, Buffer.alloc(12_321, 1));
    const blob = blobsOf(server.dataPath)
      .find((one) => one.endsWith(" 12321"))
      ?.split(" ")[0];
    const file = join(server.dataPath, "blobs", blob ?? "none");
    writeFileSync(file, Buffer.alloc(12_321, 2));
    const said = expectEnd(await holdall("export", path, "--folder", base), 1);
    writeFileSync(file, Buffer.alloc(12_321, 1));
    expect(said).toContain(`${base}/bad: its bytes have changed`);
    expect(treeOf(path)).toEqual({ good: Buffer.from("good").toString("base64") });
  });

  test("refuses the data folder, a missing folder and invalid arguments", async () => {
    expect(expectEnd(await holdall("export", server.dataPath), 1)).toContain(
      "must not contain each other",
    );
    expect(expectEnd(await holdall("export", path, "--folder", unique("no")), 1)).toContain(
      "There is no folder",
    );
    expect((await holdall("export")).code).toBe(2);
    expect((await holdall("import")).code).toBe(2);
    expect((await holdall("export", path, "--sideways")).code).toBe(2);
  });
});

/** The last file of the import, and when the change to "private" was acknowledged. */
async function changeVisibilityDuringImport(files: number) {
  const base = unique("visibility");
  path = join(parent, base);
  write(Object.fromEntries(Array.from({ length: files }, (_, n) => [`${n}/file`, ""] as const)));
  const importing = holdall("import", path, "--folder", base);
  const isThere = async () => (await a.get(`/api/files?key=${base}/0/file`)).status === 200;
  await eventually("the first is there", isThere);
  const changed = await a.json("PUT", "/api/settings", { defaultVisibility: "private" });
  expect(changed.status).toBe(200);
  const answered = Date.now();
  expect(expectEnd(await importing, 0)).toContain(
    `Imported ${files.toLocaleString("en-US")} files`,
  );
  await a.json("PUT", "/api/settings", { defaultVisibility: null });
  const all = await a.list("?orderBy=createdAt");
  const [newest] = all.filter(({ key }) => key.startsWith(`${base}/`));
  return { newest, answered };
}

describe.skipIf(!isOnDisk)("import while the server runs", () => {
  test("imports files and folders, and finds them unchanged the second time", async () => {
    const base = unique("import");
    const big = Buffer.alloc(5_000_003, 5);
    write({ "a.txt": "a", "sub/b.html": "b", "sub/deep/big.bin": big, none: "" });
    mkdirSync(join(path, "empty/inside"), { recursive: true });
    utimesSync(join(path, "a.txt"), 1000, 1000);
    const started = Date.now();
    const take = () => holdall("import", path, "--folder", base, "--visibility", "private");
    expect(expectEnd(await take(), 0)).toContain("Imported 4 files (4.8 MB)");
    const { files, folders } = await a.browse(base);
    expect(files.map(({ name }) => name).sort()).toEqual(["a.txt", "none"]);
    expect(folders.map(({ name }) => name).sort()).toEqual(["empty", "sub"]);
    expect((await a.browse(`${base}/empty`)).folders.map(({ name }) => name)).toEqual(["inside"]);
    const [b] = (await a.browse(`${base}/sub`)).files;
    expect(b).toMatchObject({ mimeType: "text/html", visibility: "private", size: 1 });
    const [found] = (await a.browse(`${base}/sub/deep`)).files;
    expect((await a.get(`/${found?.url}`)).bytes).toEqual(new Uint8Array(big));
    // The time of the upload, not of the file on the other disk.
    const times = files.map(({ createdAt }) => Date.parse(`${createdAt}Z`));
    for (const time of times) expect(time).toBeGreaterThanOrEqual(started - 1000);

    const before = await a.list();
    expect(expectEnd(await take(), 0)).toContain("Imported 0 files (0 bytes); already present 4");
    expect(await a.list()).toEqual(before);
  });

  test("never replaces existing files, and reports them", async () => {
    const base = unique("conflict");
    await a.put(`${base}/same`, "same");
    await a.put(`${base}/other`, "12345");
    await a.put(`${base}/longer`, "1234567");
    await a.folder(`${base}/folder`);
    await a.put(`${base}/file`, "a file");
    write({
      same: "same",
      other: "54321",
      longer: "12345678",
      folder: "no folder",
      "file/inside": "x",
      new: "new",
    });
    const said = expectEnd(await holdall("import", path, "--folder", base), 1);
    expect(said).toContain("Imported 1 file (3 bytes); already present 1; 4 conflicts; skipped 0.");
    expect(said).toContain(`${base}/other: a file with different content already exists`);
    expect(said).toContain(`${base}/longer: a file with different content already exists`);
    expect(said).toContain(`${base}/folder: a folder with this name already exists`);
    expect(said).toContain(`${base}/file/inside: A file named "file" already exists`);
    expect((await a.get(`/api/hosting/${base}/other`)).text).toBe("12345");
    expect((await a.get(`/api/hosting/${base}/new`)).text).toBe("new");
  });

  test("skips names that are invalid here and imports the rest", async () => {
    const base = unique("odd");
    write({ good: "good", "back\\slash": "x", "tab\t": "x", " ": "x", "sub/fine": "fine" });
    writeFileSync(Buffer.concat([Buffer.from(join(path, "not-")), Buffer.from([0xff])]), "x");
    mkdirSync(Buffer.concat([Buffer.from(join(path, "sub/folder-")), Buffer.from([0xfe])]));
    symlinkSync("/etc/passwd", join(path, "link"));
    symlinkSync("/etc", join(path, "linked folder"));
    const socket = Bun.listen({ unix: join(path, "socket"), socket: { data() {} } });
    mkdirSync(join(path, ".holdall-unfinished-\u2126"));
    // Two names on disk that normalise to one.
    write({ "e\u0301": "one", "\u00e9": "two" });
    const said = expectEnd(await holdall("import", path, "--folder", base), 1);
    socket.stop();
    expect(said).toContain("Imported 3 files");
    expect(said).toContain("skipped 10.");
    expect(said.match(/its name is not UTF-8/g)).toHaveLength(2);
    expect(said.match(/it is a link/g)).toHaveLength(2);
    expect(said).toContain("socket: it is not a regular file");
    expect(said).toContain("back\\slash: A name must be a single path segment");
    expect(said).toContain("it was left by an unfinished export");
    expect(said).toContain("another entry in the folder has the same name");
    // The output escapes a tab in a name.
    expect(said).not.toContain("tab\t");
    const { files, folders } = await a.browse(base);
    expect(files.map(({ name }) => name).sort()).toEqual(["good", "\u00e9"]);
    expect(folders.map(({ name }) => name)).toEqual(["sub"]);
  });

  test("keeps one tree across batches during concurrent uploads", async () => {
    const base = unique("many");
    const files = Object.fromEntries(
      Array.from({ length: 700 }, (_, n) => [`f${n % 7}/${n}.txt`, `content ${n}`] as const),
    );
    write(files);
    const importing = holdall("import", path, "--folder", base);
    const uploads = [];
    for (let n = 0; n < 30; n += 1)
      uploads.push(await a.put(`${base}/f${n % 7}/mine ${n}`, "mine"));
    expect(expectEnd(await importing, 0)).toContain("Imported 700 files");
    const all = await a.list("?orderBy=name");
    expect(all.filter(({ key }) => key.startsWith(`${base}/`))).toHaveLength(730);
  });

  test("uses the current default visibility", async () => {
    // One that ended before the setting had changed says nothing, so a larger one follows.
    for (let files = 800; files < 30_000; files *= 2) {
      const { newest, answered } = await changeVisibilityDuringImport(files);
      if (Date.parse(String(newest?.createdAt)) <= answered) continue;
      expect(newest?.visibility).toBe("private");
      return;
    }
    throw new Error("Every import ended before the setting had changed.");
  });

  test("refuses the data folder and anything that is not a folder", async () => {
    expect(expectEnd(await holdall("import", path), 1)).toContain("must be a folder");
    expect(expectEnd(await holdall("import", server.dataPath), 1)).toContain(
      "must not contain each other",
    );
    mkdirSync(path);
    expect(expectEnd(await holdall("import", path, "--visibility", "odd"), 1)).toContain("public");
  });
});

test.skipIf(!isOnDisk)("an export imported into a new instance is the same tree", async () => {
  await a.put(`${unique("trip")}/deep/file.txt`, "content");
  await a.folder(`${unique("trip")}/empty`);
  expectEnd(await holdall("export", path), 0);
  const fresh = join(parent, unique("fresh"));
  const back = join(parent, unique("back"));
  await (await startServer({ DATA_PATH: fresh })).stop();
  expectEnd(await run(["import", path], { DATA_PATH: fresh }, LIMIT), 0);
  expectEnd(await run(["export", back], { DATA_PATH: fresh }, LIMIT), 0);
  expect(treeOf(back)).toEqual(treeOf(path));
  expect(Object.keys(treeOf(back)).length).toBeGreaterThan(20);
  expect(existsSync(join(fresh, "catalog.sqlite-wal"))).toBe(false);
});

test.skipIf(!isOnDisk)("an import continues while a server starts and stops", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, n) => [`g${n % 30}/${n}.bin`, Buffer.alloc(2000, n)] as const),
  );
  write(files);
  const other = await startServer();
  try {
    const importing = run(["import", path], { DATA_PATH: other.dataPath }, LIMIT);
    for (let n = 0; n < 3; n += 1) await other.restart();
    expect(expectEnd(await importing, 0)).toContain("Imported 3,000 files");
    await other.restart();
    expect(await api(other).list()).toHaveLength(3000);
    expect(blobsOf(other.dataPath)).toHaveLength(3000);
  } finally {
    await other.discard();
  }
});
