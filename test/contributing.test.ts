import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");

/** Folders that a path may leave out. */
const BASES = ["", "server", "dashboard/src"];
const exists = (path: string): boolean => BASES.some((base) => existsSync(join(ROOT, base, path)));

const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)]
  .map(([, path = ""]) => path)
  .filter((path) => path.includes("/") && /(\/|\.(?:ts|tsx|mjs|json|md))$/.test(path));

test("every path that CONTRIBUTING names exists", () => {
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});
