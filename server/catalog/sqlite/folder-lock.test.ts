import { expect, test } from "bun:test";
import { joinFolder, lockFolder } from "./folder-lock.ts";
import { createWorkshop, firstWords } from "./workshop.fixture.ts";

const workshop = createWorkshop();

test("refuses a second process within a second and says why", async () => {
  const folder = workshop.folder();
  const holder = workshop.start("lock", folder);
  expect(await firstWords(holder.stdout)).toBe("locked\n");
  const start = performance.now();
  expect(() => lockFolder(folder)).toThrow(
    `Another Holdall already serves the data folder ${folder}`,
  );
  expect(performance.now() - start).toBeLessThan(1000);
});

test("refuses a second time in the same process, and lets go", () => {
  const folder = workshop.folder();
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("Another Holdall");
  lock.release();
  lockFolder(folder).release();
});

test("stays when whoever took it does not keep it", async () => {
  const folder = workshop.folder();
  lockFolder(folder);
  for (let round = 0; round < 20; round += 1) {
    Bun.gc(true);
    await Bun.sleep(1);
  }
  expect(() => lockFolder(folder)).toThrow("Another Holdall");
});

test("is let go of when its process is killed", async () => {
  const folder = workshop.folder();
  const holder = workshop.start("lock", folder);
  await firstWords(holder.stdout);
  holder.kill("SIGKILL");
  await holder.exited;
  lockFolder(folder).release();
});

test("goes to exactly one of those that start at the same instant", async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = workshop.folder();
    const starters = Array.from({ length: 4 }, () => workshop.start("lock", folder));
    const said = await Promise.all(starters.map(({ stdout }) => firstWords(stdout)));
    expect(said.filter((words) => words === "locked\n").length).toBe(1);
    expect(said.filter((words) => words.includes("Another Holdall")).length).toBe(3);
    for (const starter of starters) starter.kill("SIGKILL");
  }
}, 30_000);

test("lets workers in beside the one who holds it, and no other server", async () => {
  const folder = workshop.folder();
  const lock = lockFolder(folder);
  lock.admitWorkers();
  const workers = [joinFolder(folder), joinFolder(folder)];
  const start = performance.now();
  expect(() => lockFolder(folder)).toThrow("Another Holdall");
  expect(performance.now() - start).toBeLessThan(1000);
  for (const worker of workers) worker.release();
  lock.release();
  lockFolder(folder).release();
});

test("waits for workers that have lost their server", async () => {
  const folder = workshop.folder();
  const worker = workshop.start("join", folder);
  expect(await firstWords(worker.stdout)).toBe("joined\n");
  const starter = workshop.start("lock", folder);
  let said: string | undefined;
  const saying = firstWords(starter.stdout).then((words) => {
    said = words;
  });
  await Bun.sleep(1500);
  expect(said).toBeUndefined();
  worker.kill("SIGKILL");
  await saying;
  expect(said).toBe("locked\n");
});

test("lets nobody join a folder that somebody holds alone", () => {
  const folder = workshop.folder();
  const lock = lockFolder(folder);
  expect(() => joinFolder(folder)).toThrow("Another Holdall");
  lock.release();
}, 20_000);

test("says what else is wrong with the folder", () => {
  expect(() => lockFolder(`${workshop.folder()}/nowhere`)).toThrow("unable to open");
});
