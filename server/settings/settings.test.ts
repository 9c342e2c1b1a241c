import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingValues } from "../../contract/settings.ts";
import type { Catalog } from "../catalog/port.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { Fault } from "../rules/fault.ts";
import { createSettings, type Settings } from "./settings.ts";
import { waitForCacheExpiry } from "./stale-while-revalidate-cache.ts";

const defaults: SettingValues = {
  defaultVisibility: "public",
  maxUploadSize: 5 * 1024 ** 3,
  maxFilesPerRequest: 100,
  maxDeleteBatch: 500,
  minFreeSpace: 256 * 1024 ** 2,
  maxPresignSeconds: 604_800,
  defaultPresignSeconds: 3600,
  hostingCacheSeconds: 0,
  activityRetentionDays: 90,
};

let folder: string;
let catalog: Catalog;
const opened: Settings[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-settings-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
});
afterEach(async () => {
  for (const settings of opened.splice(0)) settings.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

async function open(pinned: Partial<SettingValues> = {}): Promise<Settings> {
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const settings = await createSettings({ stored: catalog, pinned, onError });
  opened.push(settings);
  return settings;
}

async function expectRefusal(work: Promise<void>, kind: string, says: string): Promise<void> {
  const fault = await work.catch((cause: unknown) => cause);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind, message: expect.stringContaining(says) });
}

describe("settings", () => {
  test("are the defaults, frozen, until they are changed", async () => {
    const settings = await open();
    expect(settings.current()).toEqual(defaults);
    expect(Object.isFrozen(settings.current())).toBe(true);
    const before = settings.current();
    await settings.change({ maxUploadSize: 1, defaultVisibility: "private" });
    expect(before).toEqual(defaults);
    const changed = { ...defaults, maxUploadSize: 1, defaultVisibility: "private" } as const;
    expect(settings.current()).toEqual(changed);
    // As the next process, or another one over the same catalog, reads them.
    expect((await open()).current()).toEqual(changed);
  });

  test("go back to the default by null, and keep what is not given", async () => {
    const settings = await open();
    await settings.change({ maxDeleteBatch: 7, minFreeSpace: 0 });
    await settings.change({ maxDeleteBatch: null, maxFilesPerRequest: undefined });
    expect(settings.current()).toEqual({ ...defaults, minFreeSpace: 0 });
    expect(await catalog.setting("maxDeleteBatch")).toBeUndefined();
  });

  test("of the environment are pinned, whatever is kept", async () => {
    await (await open()).change({ maxUploadSize: 10, hostingCacheSeconds: 60 });
    const settings = await open({ maxUploadSize: 20, defaultVisibility: "private" });
    expect(settings.current()).toMatchObject({ maxUploadSize: 20, hostingCacheSeconds: 60 });
    const { maxUploadSize, hostingCacheSeconds, defaultVisibility } = settings.describe();
    expect(maxUploadSize).toEqual({
      value: 20,
      default: defaults.maxUploadSize,
      pinned: true,
      variable: "MAX_UPLOAD_SIZE",
      unit: "bytes",
    });
    expect(hostingCacheSeconds).toMatchObject({ value: 60, default: 0, pinned: false });
    expect(defaultVisibility).toEqual({
      value: "private",
      default: "public",
      pinned: true,
      variable: "DEFAULT_FILE_VISIBILITY",
      unit: null,
    });
    const both = settings.change({ hostingCacheSeconds: 1, maxUploadSize: 30 });
    await expectRefusal(both, "conflict", "MAX_UPLOAD_SIZE");
    await expectRefusal(settings.change({ maxUploadSize: null }), "conflict", "MAX_UPLOAD_SIZE");
    expect(settings.current().hostingCacheSeconds).toBe(60);
    // What it already is, is no change.
    await settings.change({ maxUploadSize: 20, hostingCacheSeconds: 1 });
    expect(settings.current()).toMatchObject({ maxUploadSize: 20, hostingCacheSeconds: 1 });
  });

  test("keep the default lifetime of links within the longest", async () => {
    const settings = await open();
    const tooLong = settings.change({ defaultPresignSeconds: 604_801 });
    await expectRefusal(tooLong, "invalid", "604800");
    await settings.change({ defaultPresignSeconds: 700_000, maxPresignSeconds: 700_000 });
    await settings.change({ maxPresignSeconds: 60 });
    expect(settings.current()).toMatchObject({ defaultPresignSeconds: 60, maxPresignSeconds: 60 });
    await settings.change({ defaultPresignSeconds: null });
    expect(settings.describe().defaultPresignSeconds).toMatchObject({ value: 60, default: 60 });
    expect(settings.describe().maxPresignSeconds).toMatchObject({ value: 60, default: 604_800 });
    await settings.change({ maxPresignSeconds: null });
    expect(settings.current()).toEqual(defaults);
  });

  test("that no version of ours would keep do not count", async () => {
    await catalog.putSettings({
      maxUploadSize: "0",
      maxFilesPerRequest: "many",
      maxDeleteBatch: "1e3",
      minFreeSpace: "",
      hostingCacheSeconds: "31536001",
      defaultVisibility: "secret",
    });
    expect((await open()).current()).toEqual(defaults);
  });

  test("changed at the same time all hold at the end", async () => {
    const settings = await open();
    await Promise.all([
      settings.change({ maxUploadSize: 11 }),
      settings.change({ maxFilesPerRequest: 12 }),
      settings.change({ maxDeleteBatch: 13 }),
    ]);
    expect(settings.current()).toMatchObject({
      maxUploadSize: 11,
      maxFilesPerRequest: 12,
      maxDeleteBatch: 13,
    });
  });
});

test("a change by another process is in force for every request once no copy holds", async () => {
  const settings = await open();
  for (const wanted of [7, 8, 9]) {
    await catalog.putSettings({ maxDeleteBatch: String(wanted) });
    await waitForCacheExpiry();
    await settings.fresh();
    expect(settings.current().maxDeleteBatch).toBe(wanted);
  }
});

test("a change by another process is in force soon, also when nobody asks", async () => {
  const settings = await open();
  await catalog.putSettings({ maxDeleteBatch: "9" });
  for (let round = 0; round < 300 && settings.current().maxDeleteBatch !== 9; round += 1) {
    await Bun.sleep(100);
  }
  expect(settings.current().maxDeleteBatch).toBe(9);
}, 40_000);
