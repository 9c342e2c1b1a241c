import { expect, test } from "bun:test";
import { joinFolder, lockFolder } from "./folder-lock.ts";
import { createTestFolders, firstOutput } from "./test-folders.fixture.ts";

const testFolders = createTestFolders();

/** Repeats slow refusals: a busy machine delays some, a wait for the other server would delay all. */
function expectRefusalWithinASecond(folder: string, message: string): void {
  let seconds = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 20 && seconds > 1; tries += 1) {
    const start = performance.now();
    expect(() => lockFolder(folder)).toThrow(message);
    seconds = (performance.now() - start) / 1000;
  }
  expect(seconds).toBeLessThan(1);
}

test("refuses a second process within a second and says why", async () => {
  const folder = testFolders.folder();
  const holder = testFolders.start("lock", folder);
  expect(await firstOutput(holder.stdout)).toBe("locked\n");
  expectRefusalWithinASecond(folder, `Another Holdall already serves the data folder ${folder}`);
});

test("refuses a second lock in the same process, until released", () => {
  const folder = testFolders.folder();
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("Another Holdall");
  lock.release();
  lockFolder(folder).release();
});

test("stays when the caller drops its reference", async () => {
  const folder = testFolders.folder();
  lockFolder(folder);
  for (let round = 0; round < 20; round += 1) {
    Bun.gc(true);
    await Bun.sleep(1);
  }
  expect(() => lockFolder(folder)).toThrow("Another Holdall");
});

test("is released when its process is killed", async () => {
  const folder = testFolders.folder();
  const holder = testFolders.start("lock", folder);
  await firstOutput(holder.stdout);
  holder.kill("SIGKILL");
  await holder.exited;
  lockFolder(folder).release();
});

test("goes to exactly one of several simultaneous processes", async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = testFolders.folder();
    const starters = Array.from({ length: 4 }, () => testFolders.start("lock", folder));
    const said = await Promise.all(starters.map(({ stdout }) => firstOutput(stdout)));
    expect(said.filter((words) => words === "locked\n").length).toBe(1);
    expect(said.filter((words) => words.includes("Another Holdall")).length).toBe(3);
    for (const starter of starters) starter.kill("SIGKILL");
  }
});

test("admits workers, and no other server", async () => {
  const folder = testFolders.folder();
  const lock = lockFolder(folder);
  lock.admitWorkers();
  const workers = [joinFolder(folder), joinFolder(folder)];
  expectRefusalWithinASecond(folder, "Another Holdall");
  for (const worker of workers) worker.release();
  lock.release();
  lockFolder(folder).release();
});

test("waits for workers that have lost their server", async () => {
  const folder = testFolders.folder();
  const worker = testFolders.start("join", folder);
  expect(await firstOutput(worker.stdout)).toBe("joined\n");
  const starter = testFolders.start("lock", folder);
  let said: string | undefined;
  const saying = firstOutput(starter.stdout).then((words) => {
    said = words;
  });
  await Bun.sleep(1500);
  expect(said).toBeUndefined();
  worker.kill("SIGKILL");
  await saying;
  expect(said).toBe("locked\n");
});

test("rejects joining a folder that is locked exclusively", () => {
  const folder = testFolders.folder();
  const lock = lockFolder(folder);
  expect(() => joinFolder(folder)).toThrow("Another Holdall");
  lock.release();
});

test("throws other errors of the folder", () => {
  expect(() => lockFolder(`${testFolders.folder()}/nowhere`)).toThrow("unable to open");
});
