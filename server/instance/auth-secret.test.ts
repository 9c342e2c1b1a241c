import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOrCreateSecret } from "./auth-secret.ts";
import { openDataFolder } from "./data-folder.ts";

let parent: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "holdall-secret-"));
  path = join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe("the stored secret", () => {
  test("is generated once, readable by its owner only", () => {
    const folder = openDataFolder(path);
    const secret = readOrCreateSecret(folder);
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect(modeOf(join(path, "auth-secret"))).toBe(0o600);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(readdirSync(path).sort()).toEqual([".gitignore", "auth-secret", "holdall.json"]);
  });

  test("differs between data folders", () => {
    const other = openDataFolder(join(parent, "other"));
    expect(readOrCreateSecret(other)).not.toBe(readOrCreateSecret(openDataFolder(path)));
  });

  test("gets its mode back if other users could read it", () => {
    const folder = openDataFolder(path);
    const secret = readOrCreateSecret(folder);
    chmodSync(join(path, "auth-secret"), 0o644);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(modeOf(join(path, "auth-secret"))).toBe(0o600);
  });

  test.each(["", "\n", "x".repeat(31)])("is refused when it is %j", (text) => {
    const folder = openDataFolder(path);
    writeFileSync(join(path, "auth-secret"), text);
    expect(() => readOrCreateSecret(folder)).toThrow("must contain at least 32 characters");
    expect(readFileSync(join(path, "auth-secret"), "utf8")).toBe(text);
  });
});
