import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { run, startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { remoteCommands } from "./remote-commands.fixture.ts";

const server = await startServer();
afterAll(() => server.discard());
const { environment, holdall, lines } = remoteCommands(server);

/** Uploads files into a new folder; returns the folder's key. */
async function folderWith(...keys: string[]): Promise<string> {
  const folder = unique("remote");
  await api(server).folder(folder);
  for (const key of keys) await api(server).put(`${folder}/${key}`, `content of ${key}`);
  return folder;
}

async function keysIn(folder: string): Promise<unknown[]> {
  return lines(await holdall("ls", folder)).map(({ key }) => key);
}

describe("ls", () => {
  test("lists the subfolders and files of a folder as JSON lines", async () => {
    const folder = await folderWith("b.txt", "a.txt", "sub/c.txt");
    const listed = await holdall("ls", folder);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(lines(listed)).toMatchObject([
      { type: "folder", key: `${folder}/sub` },
      { type: "file", key: `${folder}/a.txt`, size: 16 },
      { type: "file", key: `${folder}/b.txt` },
    ]);
  });

  test("shows one file, and a table with --text", async () => {
    const folder = await folderWith("a.txt");
    expect(lines(await holdall("ls", `${folder}/a.txt`))).toMatchObject([{ name: "a.txt" }]);
    const { stdout } = await holdall("ls", folder, "--text");
    expect(stdout).toMatch(/^ +16 bytes {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}public {3}a\.txt\n$/);
  });

  test("lists the root without a key, and all pages of a large folder", async () => {
    const folder = await folderWith();
    expect(await keysIn("")).toContain(folder);
    const names = Array.from({ length: 100 }, (_, at) => `f${at}`);
    for (let at = 0; at < 11; at += 1) {
      const files = names.map((name) => filePart(`${name}-${at}`, "x"));
      await api(server).upload([field("folder", folder), ...files]);
    }
    expect(new Set(await keysIn(folder)).size).toBe(1100);

    const head = '"$@" | head -n 1; exit $PIPESTATUS';
    const cut = await run(["ls", folder], environment, undefined, ["bash", "-c", head, "holdall"]);
    expect(cut).toMatchObject({ code: 141, stderr: "" });
    expect(lines(cut)).toHaveLength(1);
  });
});

describe("rm", () => {
  test("deletes files, and names those that do not exist", async () => {
    const folder = await folderWith("a.txt", "b.txt", "c.txt");
    const removed = await holdall("rm", `${folder}/a.txt`, `${folder}/none`, `${folder}/b.txt`);
    expect(removed.code).toBe(4);
    expect(removed.stderr).toBe(
      `${folder}/none: The server has no file or folder with this key.\n`,
    );
    expect(lines(removed)).toMatchObject([
      { type: "deleted", kind: "file", key: `${folder}/a.txt` },
      { type: "error", subject: `${folder}/none`, status: 404 },
      { type: "deleted", key: `${folder}/b.txt` },
    ]);
    expect(await keysIn(folder)).toEqual([`${folder}/c.txt`]);
  });

  test("deletes a folder only with --recursive", async () => {
    const folder = await folderWith("a.txt");
    const refused = await holdall("rm", folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("add --recursive");
    expect(await keysIn(folder)).toHaveLength(1);
    expect((await holdall("rm", "-r", folder)).code).toBe(0);
    expect((await holdall("ls", folder)).code).toBe(4);
  });
});

describe("the trash", () => {
  test("`undo` restores what the last `rm` deleted, and nothing twice", async () => {
    const folder = await folderWith("a.txt", "sub/b.txt", "c.txt");
    await holdall("rm", `${folder}/c.txt`);
    const removed = await holdall("rm", "-r", `${folder}/a.txt`, `${folder}/sub`);
    const undoIds = lines(removed).map(({ undoId }) => undoId);
    expect(undoIds).toEqual([expect.any(String), expect.any(String)]);
    const undone = await holdall("undo");
    expect(undone).toMatchObject({ code: 0, stderr: "" });
    expect(lines(undone)).toMatchObject([
      { type: "restored", kind: "file", key: `${folder}/a.txt`, undoId: undoIds[0] },
      { type: "restored", kind: "folder", key: `${folder}/sub`, undoId: undoIds[1] },
    ]);
    expect(await keysIn(folder)).toEqual([`${folder}/sub`, `${folder}/a.txt`]);
    const again = await holdall("undo");
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain("`holdall trash` lists");
  });

  test("`trash` lists it, `undo ID` restores from it, `trash --empty` deletes it permanently", async () => {
    const folder = await folderWith("a.txt", "b.txt");
    await holdall("rm", `${folder}/a.txt`, `${folder}/b.txt`);
    const listed = lines(await holdall("trash"));
    expect(listed.slice(0, 2)).toMatchObject([
      { type: "trashed", key: `${folder}/b.txt` },
      { type: "trashed", key: `${folder}/a.txt` },
    ]);
    const text = (await holdall("trash", "--text")).stdout;
    expect(text).toContain(`${folder}/a.txt\n`);
    const [, { undoId } = {}] = listed;
    expect((await holdall("undo", String(undoId))).code).toBe(0);
    expect(await keysIn(folder)).toEqual([`${folder}/a.txt`]);
    expect((await holdall("undo", String(undoId))).code).toBe(4);
    const emptied = lines(await holdall("trash", "--empty"));
    expect(emptied).toMatchObject([{ type: "emptied" }]);
    expect(lines(await holdall("trash"))).toEqual([]);
    const undone = await holdall("undo");
    expect(undone.code).toBe(4);
    expect(undone.stderr).toContain("restored or deleted permanently since");
    expect((await holdall("undo")).stderr).toContain("There is no `rm` to undo");
  });

  test("`rm --forever` uses no trash; without one, `rm` says so", async () => {
    const folder = await folderWith("a.txt", "b.txt", "c.txt");
    const [{ undoId: earlier } = {}] = lines(await holdall("rm", `${folder}/c.txt`));
    const removed = await holdall("rm", "--forever", `${folder}/a.txt`);
    expect(lines(removed)).toMatchObject([{ type: "deleted", undoId: null }]);
    const undone = await holdall("undo");
    expect(undone).toMatchObject({ code: 2 });
    expect(undone.stderr).toContain("cannot be undone");
    expect((await holdall("undo", String(earlier))).code).toBe(0);
    expect((await holdall("undo")).stderr).toContain("cannot be undone");
    expect(await keysIn(folder)).toEqual([`${folder}/b.txt`, `${folder}/c.txt`]);
    await api(server).json("PUT", "/api/settings", { trashDays: 0 });
    const refused = await holdall("rm", `${folder}/b.txt`);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("add --forever");
    expect((await holdall("rm", "--forever", `${folder}/b.txt`)).code).toBe(0);
    await api(server).json("PUT", "/api/settings", { trashDays: null });
    expect(lines(await holdall("trash"))).toEqual([]);
  });
});

describe("mv", () => {
  test("renames a file and moves it into folders that do not exist yet", async () => {
    const folder = await folderWith("a.txt");
    const moved = await holdall("mv", `${folder}/a.txt`, `${folder}/new/deep/b.txt`);
    expect(moved).toMatchObject({ code: 0, stderr: "" });
    expect(lines(moved)).toMatchObject([
      { type: "moved", fromKey: `${folder}/a.txt`, key: `${folder}/new/deep/b.txt` },
    ]);
  });

  test("moves into an existing folder, and into one that the target names with a slash", async () => {
    const folder = await folderWith("a.txt", "sub/b.txt");
    await holdall("mv", `${folder}/a.txt`, `${folder}/sub`);
    expect(await keysIn(`${folder}/sub`)).toEqual([`${folder}/sub/a.txt`, `${folder}/sub/b.txt`]);
    await holdall("mv", `${folder}/sub/a.txt`, `${folder}/fresh/`);
    expect(await keysIn(`${folder}/fresh`)).toEqual([`${folder}/fresh/a.txt`]);
  });

  test("renames and moves folders with everything in them", async () => {
    const folder = await folderWith("one/a.txt", "two/b.txt");
    await holdall("mv", `${folder}/one`, `${folder}/uno`);
    expect(await keysIn(`${folder}/uno`)).toEqual([`${folder}/uno/a.txt`]);
    await holdall("mv", `${folder}/uno`, `${folder}/two`);
    expect(await keysIn(`${folder}/two/uno`)).toEqual([`${folder}/two/uno/a.txt`]);
  });

  test("--on-conflict says what happens if the name is taken", async () => {
    const folder = await folderWith("a.txt", "b.txt", "c.txt", "sub/one/x", "one/y");
    const move = (from: string, to: string, onConflict: string) =>
      holdall("mv", `${folder}/${from}`, `${folder}/${to}`, "--on-conflict", onConflict);
    const skipped = await move("a.txt", "b.txt", "skip");
    expect([skipped.code, lines(skipped)]).toMatchObject([0, [{ type: "skipped" }]]);
    expect(lines(await move("a.txt", "b.txt", "keepBoth"))).toMatchObject([
      { type: "moved", key: `${folder}/b (2).txt` },
    ]);
    expect(lines(await move("c.txt", "b.txt", "replace"))).toMatchObject([
      { type: "moved", key: `${folder}/b.txt` },
    ]);
    const keys = await keysIn(folder);
    expect(keys).toEqual(expect.arrayContaining([`${folder}/b (2).txt`, `${folder}/b.txt`]));
    expect(keys).not.toContain(`${folder}/c.txt`);
    expect(lines(await move("sub/one", "", "keepBoth"))).toMatchObject([
      { kind: "folder", key: `${folder}/one (2)` },
    ]);
    expect((await move("one", "sub", "replace")).code).toBe(2);
  });

  test("never replaces a file unasked, and says so", async () => {
    const folder = await folderWith("a.txt", "b.txt");
    const refused = await holdall("mv", `${folder}/a.txt`, `${folder}/b.txt`);
    expect(refused.code).toBe(1);
    expect(refused.stderr.length).toBeGreaterThan(10);
    expect(await keysIn(folder)).toHaveLength(2);
  });
});

describe("cp", () => {
  test("copies a file to a new name, into a folder, and next to itself", async () => {
    const folder = await folderWith("a.txt", "sub/b.txt");
    const copied = await holdall("cp", `${folder}/a.txt`, `${folder}/new/deep/c.txt`);
    expect(copied).toMatchObject({ code: 0, stderr: "" });
    expect(lines(copied)).toMatchObject([
      { type: "copied", kind: "file", fromKey: `${folder}/a.txt`, key: `${folder}/new/deep/c.txt` },
    ]);
    await holdall("cp", `${folder}/a.txt`, `${folder}/sub`);
    expect(await keysIn(`${folder}/sub`)).toEqual([`${folder}/sub/a.txt`, `${folder}/sub/b.txt`]);
    const again = await holdall("cp", `${folder}/a.txt`, folder, "--on-conflict", "keepBoth");
    expect(lines(again)).toMatchObject([{ key: `${folder}/a (2).txt` }]);
    const skipped = await holdall("cp", `${folder}/a.txt`, folder, "--on-conflict", "skip");
    expect([skipped.code, lines(skipped)]).toMatchObject([0, [{ type: "skipped" }]]);
  });

  test("copies a folder with everything in it, and never replaces anything unasked", async () => {
    const folder = await folderWith("one/a.txt", "one/deep/b.txt", "two/c.txt");
    const copied = await holdall("cp", `${folder}/one`, `${folder}/two`);
    expect(lines(copied)).toMatchObject([
      { type: "copied", kind: "folder", key: `${folder}/two/one`, added: 2 },
    ]);
    expect(await keysIn(`${folder}/two/one/deep`)).toEqual([`${folder}/two/one/deep/b.txt`]);
    expect(await keysIn(`${folder}/one`)).toHaveLength(2);
    expect((await holdall("cp", `${folder}/one`, `${folder}/two`)).code).toBe(1);
    expect((await holdall("cp", `${folder}/none`, folder)).code).toBe(4);
  });
});

describe("link", () => {
  test("prints a URL that reads the file without a key", async () => {
    const folder = await folderWith("a.txt");
    const linked = await holdall("link", `${folder}/a.txt`, "--expires-in", "60");
    const [{ url, expiresAt } = {}] = lines(linked);
    expect(await (await fetch(`${url}`)).text()).toBe("content of a.txt");
    expect(Date.parse(`${expiresAt}`) - Date.now()).toBeLessThanOrEqual(60_000);
    const plain = await holdall("link", `${folder}/a.txt`, "--text");
    expect(plain.stdout).toMatch(/^http:\/\/[^\s]+sig=[^\s]+\n$/);
  });

  test("makes links with options, which `links` lists and `--revoke` revokes", async () => {
    const folder = await folderWith("a.txt");
    const shared = await holdall(
      "link",
      `${folder}/a.txt`,
      "--uses",
      "3",
      "--title",
      "For you",
      "--expires",
      "7d",
    );
    expect(shared).toMatchObject({ code: 0, stderr: "" });
    const [link] = lines(shared);
    expect(link).toMatchObject({ type: "link", usesLeft: 3, title: "For you", kind: "read" });
    const days = (Date.parse(`${link?.expiresAt}Z`) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const dated = await holdall("link", folder, "--expires", "2099-01-31T18:00Z");
    expect(lines(dated)).toMatchObject([{ expiresAt: "2099-01-31 18:00:00" }]);
    await holdall("link", folder, "--revoke");
    const url = `${link?.url}`;
    expect(await (await fetch(`${url}?download=1`)).text()).toBe("content of a.txt");
    const drop = await holdall("link", folder, "--drop", "--password", "tide", "--text");
    expect(drop.stdout).toMatch(/^http:\/\/[^\s]+\/s\/[\w-]{22}\n$/);
    expect((await fetch(drop.stdout.trim())).status).toBe(200);
    expect(lines(await holdall("links", folder))).toMatchObject([
      { type: "link", kind: "drop", hasPassword: true, subject: { key: folder } },
    ]);
    const listed = await holdall("links", `${folder}/a.txt`, "--text");
    expect(listed.stdout).toBe(`${url}  ${folder}/a.txt  read  active  visits: 1, 2 left\n`);
    const revoked = lines(await holdall("link", `${folder}/a.txt`, "--revoke"));
    expect(revoked).toMatchObject([{ type: "revoked", id: link?.id, state: "revoked" }]);
    expect((await fetch(url)).status).toBe(404);
    expect((await holdall("link", folder, "--share")).code).toBe(0);
    for (const wrong of [
      ["--uses", "0"],
      ["--expires", "soon"],
      ["--expires", "2027-13-31"],
      ["--expires", "7d", "--expires-in", "60"],
      ["--revoke", "--uses", "3"],
      ["--share", "extra"],
    ]) {
      expect(await holdall("link", folder, ...wrong)).toMatchObject({ code: 2 });
    }
  });

  test("refuses a folder and a validity that is no number", async () => {
    const folder = await folderWith("a.txt");
    expect(await holdall("link", folder)).toMatchObject({ code: 2 });
    const refused = await holdall("link", `${folder}/a.txt`, "--expires-in", "soon");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("--expires-in takes a whole number of seconds");
  });
});

describe("errors", () => {
  test.each([
    [{ HOLDALL_URL: undefined }, 2, "HOLDALL_URL is not set"],
    [{ HOLDALL_URL: "files.example.com" }, 2, 'HOLDALL_URL is "files.example.com", but must be'],
    [{ HOLDALL_KEY: undefined }, 2, "HOLDALL_KEY is not set"],
    [{ HOLDALL_KEY: "with\nbreak" }, 2, "HOLDALL_KEY has characters"],
    [{ HOLDALL_KEY: "hd_wrong" }, 2, "Unauthorized"],
    [
      { HOLDALL_URL: "http://127.0.0.1:1" },
      3,
      "Cannot connect to the server at http://127.0.0.1:1",
    ],
  ])("%p ends with its exit code and the reason", async (env, code, reason) => {
    const all = { HOLDALL_URL: server.url, HOLDALL_KEY: server.apiKey, ...env };
    const ended = await run(["ls"], all);
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toContain("test-key");
    expect([ended.code, lines(ended)[0]?.type]).toEqual([code, "error"]);
  });

  test.each([
    "ls a b",
    "ls --json --text",
    "rm",
    "trash a",
    "mv",
    "mv a",
    "mv a b c",
    "cp a",
    "cp a b --on-conflict overwrite",
    "link",
    "links a b",
    "get",
    "get a b c",
    "get a --on-conflict keepBoth",
  ])("%s is refused with exit code 2", async (words) => {
    const ended = await holdall(...words.split(" "));
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().length).toBeGreaterThan(10);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  test("options of other commands are refused", async () => {
    const refused = await holdall("ls", "--recursive");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("`ls` takes no --recursive.");
  });
});
