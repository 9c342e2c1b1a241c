import { afterEach, expect, test } from "bun:test";
import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../rules/fault.ts";
import { type Ballast, openBallast, withRoom } from "./ballast.ts";
import { createWorkshop } from "./workshop.fixture.ts";

const workshop = createWorkshop();
const open: Ballast[] = [];
afterEach(async () => {
  for (const ballast of open.splice(0)) await ballast.close();
});

async function openAt(path: string, log: (event: object) => void = () => {}): Promise<Ballast> {
  const ballast = await openBallast(path, log);
  open.push(ballast);
  return ballast;
}

/** Bytes of the disk that the file takes. */
const taken = (path: string): number => statSync(path).blocks * 512;

test("takes its room in the background, and gives it up and takes it back when told", async () => {
  const path = join(workshop.folder(), "ballast");
  const events: object[] = [];
  const ballast = await openAt(path, (event) => events.push(event));
  expect(await ballast.restore()).toBe(true);
  expect(ballast.owed()).toBe(0);
  const size = taken(path);
  expect(size).toBeGreaterThanOrEqual(32 * 1024 * 1024);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(events).toEqual([]);

  await Promise.all([ballast.giveUp(), ballast.giveUp()]);
  expect(taken(path)).toBe(0);
  expect(ballast.owed()).toBe(size);
  expect(events).toEqual([{ event: "disk full" }]);
  expect(await Promise.all([ballast.restore(), ballast.restore()])).toEqual([true, true]);
  expect(taken(path)).toBe(size);
  expect(ballast.owed()).toBe(0);
  expect(events).toEqual([{ event: "disk full" }, { event: "disk has room" }]);
});

test("takes its room back by itself", async () => {
  const path = join(workshop.folder(), "ballast");
  const ballast = await openAt(path);
  await ballast.restore();
  await ballast.giveUp();
  for (let attempt = 0; ballast.owed() > 0 && attempt < 400; attempt += 1) await Bun.sleep(25);
  expect(ballast.owed()).toBe(0);
  expect(taken(path)).toBeGreaterThan(0);
});

test("takes its room back at the end, for the next start to find", async () => {
  const path = join(workshop.folder(), "ballast");
  const ballast = await openAt(path);
  await ballast.restore();
  const size = taken(path);
  await ballast.giveUp();
  await ballast.close();
  expect(taken(path)).toBe(size);
});

test("keeps a whole file as it is, and makes one with holes or a short one whole", async () => {
  const path = join(workshop.folder(), "ballast");
  await (await openAt(path)).restore();
  const { size, mtimeMs } = statSync(path);
  const again = await openAt(path);
  expect(again.owed()).toBe(0);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  const harms = [
    () => truncateSync(path, size / 2),
    () => {
      writeFileSync(path, "");
      truncateSync(path, size);
    },
  ];
  for (const harm of harms) {
    harm();
    const mended = await openAt(path);
    expect(mended.owed()).toBe(size);
    expect(await mended.restore()).toBe(true);
    expect(taken(path)).toBe(size);
  }
});

test("where it can never be had, the catalog goes without", async () => {
  const path = join(workshop.folder(), "no folder", "ballast");
  await expect(openBallast(path, () => {})).rejects.toThrow("ENOENT");
  const folder = workshop.folder();
  const blocked = join(folder, "ballast");
  Bun.spawnSync(["mkdir", blocked]);
  const ballast = await openAt(blocked);
  expect(await ballast.restore()).toBe(true);
  expect(ballast.owed()).toBe(0);
  expect(existsSync(blocked)).toBe(true);
});

test("what fails for want of room is tried again once, on the room given up", async () => {
  const path = join(workshop.folder(), "ballast");
  const ballast = await openAt(path);
  await ballast.restore();
  const failing = (times: number, kind: "no_space" | "conflict") => {
    const attempts: number[] = [];
    const work = async (): Promise<string> => {
      attempts.push(ballast.owed());
      if (attempts.length <= times) throw new Fault(kind, `attempt ${attempts.length}`);
      return "done";
    };
    return { attempts, work };
  };
  const conflict = failing(1, "conflict");
  await expect(withRoom(ballast, conflict.work)).rejects.toThrow("attempt 1");
  expect(conflict.attempts).toEqual([0]);

  const once = failing(1, "no_space");
  expect(await withRoom(ballast, once.work)).toBe("done");
  const [, owed = 0] = once.attempts;
  expect(owed).toBeGreaterThan(0);
  await ballast.restore();

  const ever = failing(9, "no_space");
  await expect(withRoom(ballast, ever.work)).rejects.toThrow("attempt 2");
  expect(ever.attempts).toHaveLength(2);
});
