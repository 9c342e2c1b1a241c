import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../../test/harness.ts";
import { createFileResumeStore } from "./file-resume-store.ts";

const local = temporaryFolder();
afterAll(() => removeFolder(local));

test("keeps notes that only the user can read, until they are removed", async () => {
  const folder = join(local, "state/uploads");
  const store = await createFileResumeStore(folder);
  expect(await store.getItem("key")).toBeNull();
  await store.setItem("key", "one");
  await store.setItem("key", "two");
  expect(await (await createFileResumeStore(folder)).getItem("key")).toBe("two");
  const [name = ""] = readdirSync(folder);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await store.removeItem("key");
  await store.removeItem("key");
  expect(readdirSync(folder)).toEqual([]);
});

test("removes notes after 30 days, and nothing else", async () => {
  const folder = join(local, "old");
  mkdirSync(folder);
  const note = (name: string, days: number): void => {
    writeFileSync(join(folder, name), "");
    const time = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(join(folder, name), time, time);
  };
  const [old, recent] = ["a", "b"].map((digit) => `${digit.repeat(64)}.json`);
  note(old ?? "", 31);
  note(recent ?? "", 29);
  note("other.json", 90);
  await createFileResumeStore(folder);
  expect(readdirSync(folder).sort()).toEqual([recent ?? "", "other.json"].sort());
});
