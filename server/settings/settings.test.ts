import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingValues } from "../../contract/settings.ts";
import { eventually } from "../../test/expectations.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { Fault } from "../domain/faults/fault.ts";
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
  defaultLinkDays: 7,
  maxLinkDays: 0,
  hostingCacheSeconds: 0,
  activityRetentionDays: 90,
  trashDays: 30,
  smallImageSize: 320,
  mediumImageSize: 800,
  largeImageSize: 1600,
  imageQuality: 80,
  trashDeletions: false,
  keepVersions: false,
  lastingUrls: true,
  fetchByKeys: false,
  logDownloads: false,
  requireSecondFactor: false,
  instanceName: "",
  accentColor: "",
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
  const settings = await createSettings({ catalog, pinned, onError });
  opened.push(settings);
  return settings;
}

async function expectFault(change: Promise<void>, kind: string, text: string): Promise<void> {
  const fault = await change.catch((cause: unknown) => cause);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind, message: expect.stringContaining(text) });
}

describe("settings", () => {
  test("that are text have bounds, also in the catalog", async () => {
    const settings = await open();
    await settings.change({ instanceName: "Skov & Søn 🌲", accentColor: "#0A665E" });
    expect((await open()).current()).toMatchObject({
      instanceName: "Skov & Søn 🌲",
      accentColor: "#0A665E",
    });
    expect(settings.describe().instanceName).toEqual({
      value: "Skov & Søn 🌲",
      default: "",
      pinned: false,
      variable: "INSTANCE_NAME",
      unit: null,
    });
    await catalog.putSettings({ instanceName: "n".repeat(61), accentColor: "red;}" });
    expect((await open()).current()).toMatchObject({ instanceName: "", accentColor: "" });
  });

  test("have a logo, which is read by its version", async () => {
    const settings = await open();
    expect(settings.logo()).toBeNull();
    const bytes = new Uint8Array([1, 2, 3]);
    await settings.changeLogo({ bytes, width: 320, height: 96 });
    const logo = (await open()).logo();
    expect(logo).toMatchObject({ width: 320, height: 96 });
    expect(await settings.logoBytes(logo?.version ?? "")).toEqual(bytes);
    expect(await settings.logoBytes("0000000000000000")).toBeUndefined();
    await settings.changeLogo(null);
    expect((await open()).logo()).toBeNull();
    expect(await settings.logoBytes(logo?.version ?? "")).toBeUndefined();
  });

  test("have frozen default values until they are changed", async () => {
    const settings = await open();
    expect(settings.current()).toEqual(defaults);
    expect(Object.isFrozen(settings.current())).toBe(true);
    const before = settings.current();
    await settings.change({ maxUploadSize: 1, defaultVisibility: "private" });
    expect(before).toEqual(defaults);
    const changed = { ...defaults, maxUploadSize: 1, defaultVisibility: "private" } as const;
    expect(settings.current()).toEqual(changed);
    // Another process with the same catalog, now or after a restart, reads the same values.
    expect((await open()).current()).toEqual(changed);
  });

  test("null restores the default; settings that are left out keep their value", async () => {
    const settings = await open();
    await settings.change({ maxDeleteBatch: 7, minFreeSpace: 0 });
    await settings.change({ maxDeleteBatch: null, maxFilesPerRequest: undefined });
    expect(settings.current()).toEqual({ ...defaults, minFreeSpace: 0 });
    expect(await catalog.setting("maxDeleteBatch")).toBeUndefined();
  });

  test("from the environment are pinned and take precedence over stored values", async () => {
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
    await expectFault(both, "conflict", "MAX_UPLOAD_SIZE");
    await expectFault(settings.change({ maxUploadSize: null }), "conflict", "MAX_UPLOAD_SIZE");
    expect(settings.current().hostingCacheSeconds).toBe(60);
    // Setting a pinned setting to its own value is allowed.
    await settings.change({ maxUploadSize: 20, hostingCacheSeconds: 1 });
    expect(settings.current()).toMatchObject({ maxUploadSize: 20, hostingCacheSeconds: 1 });
  });

  test("keep the default lifetime of signed URLs within the maximum", async () => {
    const settings = await open();
    const tooLong = settings.change({ defaultPresignSeconds: 604_801 });
    await expectFault(tooLong, "invalid", "604800");
    await settings.change({ defaultPresignSeconds: 700_000, maxPresignSeconds: 700_000 });
    await settings.change({ maxPresignSeconds: 60 });
    expect(settings.current()).toMatchObject({ defaultPresignSeconds: 60, maxPresignSeconds: 60 });
    await settings.change({ defaultPresignSeconds: null });
    expect(settings.describe().defaultPresignSeconds).toMatchObject({ value: 60, default: 60 });
    expect(settings.describe().maxPresignSeconds).toMatchObject({ value: 60, default: 604_800 });
    await settings.change({ maxPresignSeconds: null });
    expect(settings.current()).toEqual(defaults);
  });

  test("are on or off", async () => {
    const settings = await open();
    await settings.change({ trashDeletions: true, keepVersions: false });
    expect((await open()).current()).toMatchObject({ trashDeletions: true, keepVersions: false });
    const pinned = await open({ trashDeletions: false });
    expect(pinned.current().trashDeletions).toBe(false);
    expect(pinned.describe().trashDeletions).toEqual({
      value: false,
      default: false,
      pinned: true,
      variable: "TRASH_DELETIONS",
      unit: null,
    });
    await expectFault(pinned.change({ trashDeletions: true }), "conflict", "TRASH_DELETIONS");
    await settings.change({ trashDeletions: null });
    expect((await open()).current().trashDeletions).toBe(false);
  });

  test("ignore invalid stored values", async () => {
    await catalog.putSettings({
      maxUploadSize: "0",
      maxFilesPerRequest: "many",
      maxDeleteBatch: "1e3",
      minFreeSpace: "",
      hostingCacheSeconds: "31536001",
      defaultVisibility: "secret",
      trashDeletions: "1",
      keepVersions: "",
    });
    expect((await open()).current()).toEqual(defaults);
  });

  test("apply concurrent changes of different settings", async () => {
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

test("requests see a change by another process once its cache expiry has passed", async () => {
  const settings = await open();
  for (const wanted of [7, 8, 9]) {
    await catalog.putSettings({ maxDeleteBatch: String(wanted) });
    await waitForCacheExpiry();
    await settings.fresh();
    expect(settings.current().maxDeleteBatch).toBe(wanted);
  }
});

test("a change by another process is polled without a request", async () => {
  const settings = await open();
  await catalog.putSettings({ maxDeleteBatch: "9" });
  await eventually("the change is seen", () => settings.current().maxDeleteBatch === 9);
});
