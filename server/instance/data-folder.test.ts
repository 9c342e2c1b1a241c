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
import { claimDataFolder, openDataFolder } from "./data-folder.ts";

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
  test("is created if missing, for its owner only", () => {
    const folder = openDataFolder(path);
    expect(folder).toEqual({
      path,
      catalog: join(path, "catalog.sqlite"),
      blobs: join(path, "blobs"),
      variants: join(path, "variants"),
    });
    expect(modeOf(path)).toBe(0o700);
    expect(readdirSync(path).sort()).toEqual([".gitignore", "holdall.json"]);
    expect(JSON.parse(readFileSync(marker(), "utf8"))).toEqual({ layout: 1 });
  });

  test("is ignored by git if it is new", () => {
    openDataFolder(path);
    expect(readFileSync(join(path, ".gitignore"), "utf8")).toBe("*\n");
    rmSync(join(path, ".gitignore"));
    openDataFolder(path);
    expect(existsSync(join(path, ".gitignore"))).toBe(false);
  });

  test("keeps the .gitignore of an empty folder", () => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, ".gitignore"), "mine");
    openDataFolder(path);
    expect(readFileSync(join(path, ".gitignore"), "utf8")).toBe("mine");
  });

  test("keeps the mode of an empty folder", () => {
    mkdirSync(path, { recursive: true, mode: 0o750 });
    openDataFolder(path);
    expect(modeOf(path)).toBe(0o750);
    expect(readdirSync(path).sort()).toEqual([".gitignore", "holdall.json"]);
  });

  test("is not changed when it is opened again", () => {
    const first = openDataFolder(path);
    const { mtimeMs } = statSync(marker());
    writeFileSync(first.catalog, "");
    expect(openDataFolder(path)).toEqual(first);
    expect(statSync(marker()).mtimeMs).toBe(mtimeMs);
  });

  test.each([
    ['{"layout":2}', "has layout 2, but this version of Holdall only knows layout 1"],
    ['{"layout":"1"}', "has layout 1,"],
    ["{}", "has layout undefined"],
    ["[]", "has layout undefined"],
    ["null", "is not a data folder of Holdall"],
    ["", "is not a data folder of Holdall"],
    ['{"layout":1', "is not a data folder of Holdall"],
  ])("is refused with the marker %j", (text, why) => {
    openDataFolder(path);
    writeFileSync(marker(), text);
    expect(() => openDataFolder(path)).toThrow(why);
    expect(() => openDataFolder(path)).toThrow(path);
    expect(readFileSync(marker(), "utf8")).toBe(text);
  });

  test("is refused if there is a catalog but no marker", () => {
    const { catalog } = openDataFolder(path);
    writeFileSync(catalog, "");
    rmSync(marker());
    expect(() => openDataFolder(path)).toThrow("has lost its holdall.json: restore it.");
    expect(existsSync(marker())).toBe(false);
  });

  test("is refused if it is a file or inside one", () => {
    const file = join(parent, "file");
    writeFileSync(file, "mine");
    for (const wrong of [file, join(file, "data")]) {
      expect(() => openDataFolder(wrong)).toThrow(
        `DATA_PATH is "${wrong}", but must be a folder that this user may write`,
      );
    }
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test.skipIf(cannotDropRoot)("is refused if this user may not write it", () => {
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

test("a folder with other content is refused and not changed", () => {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "notes.txt"), "mine");
  expect(() => openDataFolder(path)).toThrow("is not empty and is not a data folder");
  expect(readdirSync(path)).toEqual(["notes.txt"]);
});

test("accepts a new volume with lost+found", () => {
  mkdirSync(join(path, "lost+found"), { recursive: true });
  expect(openDataFolder(path).path).toBe(path);
});

test("claiming the folder removes the drafts of interrupted starts", () => {
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
  expect(readdirSync(path).sort()).toEqual([".gitignore", ...others, "holdall.json"].sort());
});
