import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdirSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { describeFile, FILES_FILE, isComplete } from "./is-complete.ts";

const folder = temporaryFolder();
const file = join(folder, "main.ts");
const TEXT = Array.from({ length: 50 }, (_, at) => `call(${at});\n`).join("");

beforeEach(() => {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(file, TEXT);
  const files = { "main.ts": describeFile(Buffer.from(TEXT)) };
  writeFileSync(join(folder, FILES_FILE), JSON.stringify(files));
});
afterAll(() => removeFolder(folder));

test.each([
  ["is as published", () => {}, true],
  ["was patched and is longer", () => writeFileSync(file, `// Patched.\n${TEXT}`), true],
  ["was patched at its end", () => writeFileSync(file, `${TEXT}call(50);\n`), true],
  ["was patched and is shorter", () => writeFileSync(file, TEXT.replace("call(7);\n", "")), true],
  ["is missing", () => unlinkSync(file), false],
  ["is cut", () => truncateSync(file, 300), false],
  ["is empty", () => truncateSync(file, 0), false],
])("a package of which a file %s", (_, change, expected) => {
  change();
  expect(isComplete(folder)).toBe(expected);
});

test("a package without the description of its files is incomplete", () => {
  unlinkSync(join(folder, FILES_FILE));
  expect(isComplete(folder)).toBe(false);
});
