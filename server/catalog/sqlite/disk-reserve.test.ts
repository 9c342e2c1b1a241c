import { afterEach, expect, test } from "bun:test";
import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../domain/faults/fault.ts";
import { type DiskReserve, openDiskReserve, retryWithReserve } from "./disk-reserve.ts";
import { createTestFolders } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();
const open: DiskReserve[] = [];
afterEach(async () => {
  for (const reserve of open.splice(0)) await reserve.close();
});

async function openAt(path: string, log: (event: object) => void = () => {}): Promise<DiskReserve> {
  const reserve = await openDiskReserve(path, log);
  open.push(reserve);
  return reserve;
}

/** Bytes that the file takes on the disk. */
const allocated = (path: string): number => statSync(path).blocks * 512;

test("allocates its file in the background, releases it and restores it", async () => {
  const path = join(testFolders.folder(), "reserve");
  const events: object[] = [];
  const reserve = await openAt(path, (event) => events.push(event));
  expect(await reserve.restore()).toBe(true);
  expect(reserve.missing()).toBe(0);
  const size = allocated(path);
  expect(size).toBeGreaterThanOrEqual(32 * 1024 * 1024);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(events).toEqual([]);

  await Promise.all([reserve.release(), reserve.release()]);
  expect(allocated(path)).toBe(0);
  expect(reserve.missing()).toBe(size);
  expect(events).toEqual([{ event: "disk full" }]);
  expect(await Promise.all([reserve.restore(), reserve.restore()])).toEqual([true, true]);
  expect(allocated(path)).toBe(size);
  expect(reserve.missing()).toBe(0);
  expect(events).toEqual([{ event: "disk full" }, { event: "disk has room" }]);
});

test("restores itself", async () => {
  const path = join(testFolders.folder(), "reserve");
  const reserve = await openAt(path);
  await reserve.restore();
  await reserve.release();
  for (let attempt = 0; reserve.missing() > 0 && attempt < 4000; attempt += 1) await Bun.sleep(25);
  expect(reserve.missing()).toBe(0);
  expect(allocated(path)).toBeGreaterThan(0);
});

test("restores itself on close, for the next start", async () => {
  const path = join(testFolders.folder(), "reserve");
  const reserve = await openAt(path);
  await reserve.restore();
  const size = allocated(path);
  await reserve.release();
  await reserve.close();
  expect(allocated(path)).toBe(size);
});

test("keeps a complete file, and fills one that is sparse or too short", async () => {
  const path = join(testFolders.folder(), "reserve");
  await (await openAt(path)).restore();
  const { size, mtimeMs } = statSync(path);
  const again = await openAt(path);
  expect(again.missing()).toBe(0);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  const damages = [
    () => truncateSync(path, size / 2),
    () => {
      writeFileSync(path, "");
      truncateSync(path, size);
    },
  ];
  for (const damage of damages) {
    damage();
    const restored = await openAt(path);
    expect(restored.missing()).toBe(size);
    expect(await restored.restore()).toBe(true);
    expect(allocated(path)).toBe(size);
  }
});

test("the catalog goes without a reserve where none can be made", async () => {
  const path = join(testFolders.folder(), "no folder", "reserve");
  await expect(openDiskReserve(path, () => {})).rejects.toThrow("ENOENT");
  const folder = testFolders.folder();
  const blocked = join(folder, "reserve");
  Bun.spawnSync(["mkdir", blocked]);
  const reserve = await openAt(blocked);
  expect(await reserve.restore()).toBe(true);
  expect(reserve.missing()).toBe(0);
  expect(existsSync(blocked)).toBe(true);
});

test("work that fails with no_space runs once more with the reserve released", async () => {
  const path = join(testFolders.folder(), "reserve");
  const reserve = await openAt(path);
  await reserve.restore();
  const failing = (times: number, kind: "no_space" | "conflict") => {
    const attempts: number[] = [];
    const work = async (): Promise<string> => {
      attempts.push(reserve.missing());
      if (attempts.length <= times) throw new Fault(kind, `attempt ${attempts.length}`);
      return "done";
    };
    return { attempts, work };
  };
  const conflict = failing(1, "conflict");
  await expect(retryWithReserve(reserve, conflict.work)).rejects.toThrow("attempt 1");
  expect(conflict.attempts).toEqual([0]);

  const once = failing(1, "no_space");
  expect(await retryWithReserve(reserve, once.work)).toBe("done");
  const [, missing = 0] = once.attempts;
  expect(missing).toBeGreaterThan(0);
  await reserve.restore();

  const always = failing(9, "no_space");
  await expect(retryWithReserve(reserve, always.work)).rejects.toThrow("attempt 2");
  expect(always.attempts).toHaveLength(2);
});
