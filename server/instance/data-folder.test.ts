import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cannotDropRoot, withoutRoot } from "../../test/without-root.fixture.ts";
import { claimDataFolder, openDataFolder, readOrCreateSecret } from "./data-folder.ts";

let parent: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "holdall-data-"));
  path = join(parent, "some", "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;
const marker = (): string => join(path, "holdall.json");

describe("the data folder", () => {
  test("is made where there is none, for its owner only", () => {
    const folder = openDataFolder(path);
    expect(folder).toEqual({
      path,
      catalog: join(path, "catalog.sqlite"),
      blobs: join(path, "blobs"),
    });
    expect(modeOf(path)).toBe(0o700);
    expect(readdirSync(path)).toEqual(["holdall.json"]);
    expect(JSON.parse(readFileSync(marker(), "utf8"))).toEqual({ layout: 1 });
  });

  test("is taken as it is when it is empty", () => {
    mkdirSync(path, { recursive: true, mode: 0o750 });
    openDataFolder(path);
    expect(modeOf(path)).toBe(0o750);
    expect(readdirSync(path)).toEqual(["holdall.json"]);
  });

  test("is opened again without a change", () => {
    const first = openDataFolder(path);
    const { mtimeMs } = statSync(marker());
    writeFileSync(first.catalog, "");
    expect(openDataFolder(path)).toEqual(first);
    expect(statSync(marker()).mtimeMs).toBe(mtimeMs);
  });

  test.each([
    ['{"layout":2}', "has layout 2, and this version of Holdall knows layout 1"],
    ['{"layout":"1"}', "has layout 1,"],
    ["{}", "has layout undefined"],
    ["[]", "has layout undefined"],
    ["null", "no data folder of Holdall"],
    ["", "no data folder of Holdall"],
    ['{"layout":1', "no data folder of Holdall"],
  ])("is refused with the marker %j", (text, why) => {
    openDataFolder(path);
    writeFileSync(marker(), text);
    expect(() => openDataFolder(path)).toThrow(why);
    expect(() => openDataFolder(path)).toThrow(path);
    expect(readFileSync(marker(), "utf8")).toBe(text);
  });

  test("is refused when a catalog has lost its marker", () => {
    const { catalog } = openDataFolder(path);
    writeFileSync(catalog, "");
    rmSync(marker());
    expect(() => openDataFolder(path)).toThrow("has lost its holdall.json: restore it.");
    expect(existsSync(marker())).toBe(false);
  });

  test("is refused when it is a file, or below one", () => {
    const file = join(parent, "file");
    writeFileSync(file, "mine");
    for (const wrong of [file, join(file, "data")]) {
      expect(() => openDataFolder(wrong)).toThrow(
        `DATA_PATH is "${wrong}", but must be a folder that this user may write`,
      );
    }
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test.skipIf(cannotDropRoot)("is refused when it may not be written", () => {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o500);
    const script = `import { openDataFolder } from "./data-folder.ts"; openDataFolder("${path}");`;
    const { exitCode, stderr } = Bun.spawnSync([...withoutRoot, process.execPath, "-e", script], {
      cwd: import.meta.dir,
    });
    expect(exitCode).toBe(1);
    expect(String(stderr)).toContain("must be a folder that this user may write");
  });
});

test("a folder with other things in it is left alone", () => {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "letter.txt"), "mine");
  expect(() => openDataFolder(path)).toThrow("has other things in it");
  expect(readdirSync(path)).toEqual(["letter.txt"]);
});

test("a fresh volume is taken", () => {
  mkdirSync(join(path, "lost+found"), { recursive: true });
  expect(openDataFolder(path).path).toBe(path);
});

test("what an interrupted start has left is cleared away by whoever holds the lock", () => {
  const folder = openDataFolder(path);
  const others = [
    "auth-secret.12.old",
    "auth-secret.new",
    "notes.12.new",
    "holdall.json.12.new.txt",
  ];
  for (const name of [...others, "auth-secret.12.new", "holdall.json.3456.new"]) {
    writeFileSync(join(path, name), "half");
  }
  openDataFolder(path);
  expect(readdirSync(path)).toContain("auth-secret.12.new");
  claimDataFolder(folder);
  expect(readdirSync(path).sort()).toEqual([...others, "holdall.json"].sort());
});

describe("the kept secret", () => {
  test("is made once, for its owner only", () => {
    const folder = openDataFolder(path);
    const secret = readOrCreateSecret(folder);
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect(modeOf(join(path, "auth-secret"))).toBe(0o600);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(readdirSync(path).sort()).toEqual(["auth-secret", "holdall.json"]);
  });

  test("is another one in every folder", () => {
    const other = openDataFolder(join(parent, "other"));
    expect(readOrCreateSecret(other)).not.toBe(readOrCreateSecret(openDataFolder(path)));
  });

  test("is kept from others again when somebody let them read it", () => {
    const folder = openDataFolder(path);
    const secret = readOrCreateSecret(folder);
    chmodSync(join(path, "auth-secret"), 0o644);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(modeOf(join(path, "auth-secret"))).toBe(0o600);
  });

  test.each(["", "\n", "x".repeat(31)])("is refused when it is %j", (text) => {
    const folder = openDataFolder(path);
    writeFileSync(join(path, "auth-secret"), text);
    expect(() => readOrCreateSecret(folder)).toThrow("must hold at least 32 characters");
    expect(readFileSync(join(path, "auth-secret"), "utf8")).toBe(text);
  });
});
