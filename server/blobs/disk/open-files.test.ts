import { afterAll, expect, test } from "bun:test";
import { fstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../files/files.fixture.ts";
import { createOpenFiles } from "./open-files.ts";

const folder = mkdtempSync(join(tmpdir(), "holdall-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

let last = 0;
function writeFile(bytes = 5): string {
  last += 1;
  const path = join(folder, `${last}`);
  writeFileSync(path, Buffer.alloc(bytes));
  return path;
}

/** How many descriptors of this process lead to a file in the folder. */
function descriptorsTo(path: string): number {
  const targets = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target.startsWith(path)).length;
}

test("a file is opened once for reads that follow each other", () => {
  const files = createOpenFiles();
  const path = writeFile();
  const first = files.open(path);
  expect(fstatSync(first?.descriptor ?? -1).size).toBe(5);
  expect(files.open(path)).toBe(first);
  expect(descriptorsTo(path)).toBe(1);
  files.forget(path);
  expect(descriptorsTo(path)).toBe(0);
  files.forget(path);
});

test("files are closed soon after they were last opened", async () => {
  const files = createOpenFiles();
  const path = writeFile();
  files.open(path);
  await until(() => descriptorsTo(path) === 0);
  expect(files.open(path)).toBeDefined();
  files.forget(path);
});

test("never more than an eighth of the descriptors are in use", () => {
  const files = createOpenFiles(1024);
  const paths = Array.from({ length: 300 }, () => writeFile());
  let most = 0;
  for (const path of paths) {
    expect(files.open(path)).toBeDefined();
    most = Math.max(most, descriptorsTo(folder));
  }
  expect(most).toBeGreaterThan(60);
  expect(most).toBeLessThanOrEqual(128);
  for (const path of paths) files.forget(path);
  expect(descriptorsTo(folder)).toBe(0);
});

test("an absent file is undefined", () => {
  const files = createOpenFiles();
  expect(files.open(join(folder, "absent"))).toBeUndefined();
  expect(files.open(join(writeFile(), "below-a-file"))).toBeUndefined();
});

test("a file that was replaced is opened again within seconds", async () => {
  const files = createOpenFiles();
  const path = writeFile(5);
  files.open(path);
  rmSync(path);
  writeFileSync(path, Buffer.alloc(7));
  await until(() => fstatSync(files.open(path)?.descriptor ?? -1).size === 7);
  files.forget(path);
});
