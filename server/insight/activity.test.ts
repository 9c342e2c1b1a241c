import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActivityLog, Catalog } from "../catalog/port.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import type { NewActivity } from "../rules/activity.ts";
import { type Activity, createActivity } from "./activity.ts";

const DAY = 24 * 3600 * 1000;

let folder: string;
let catalog: Catalog;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-insight-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
});
afterEach(async () => {
  await catalog.close();
  rmSync(folder, { recursive: true });
});

const event = (more: Partial<NewActivity> = {}): Omit<NewActivity, "at"> => ({
  action: "signIn",
  outcome: "done",
  status: 200,
  actor: { kind: "none", id: null, name: null },
  address: "192.0.2.1",
  subject: null,
  detail: {},
  ...more,
});

interface Bed {
  readonly activity: Activity;
  readonly errors: string[];
  readonly writes: number[];
  readonly state: { now: number; days: number; down: boolean };
}

function open(): Bed {
  const errors: string[] = [];
  const writes: number[] = [];
  const state = { now: 100 * DAY, days: 90, down: false };
  const log: ActivityLog = {
    addActivity(events) {
      writes.push(events.length);
      return state.down
        ? Promise.reject(new Error("The disk is away"))
        : catalog.addActivity(events);
    },
    activity: (wanted) => catalog.activity(wanted),
    removeActivity: (before, limit) => catalog.removeActivity(before, limit),
  };
  const activity = createActivity({
    log,
    retentionDays: () => state.days,
    onError: (message) => void errors.push(message),
    now: () => state.now,
  });
  return { activity, errors, writes, state };
}

const all = ({ activity }: Bed) => activity.list({ limit: 10_000 });

test("what is noted within a second is one write", async () => {
  const bed = open();
  for (let index = 0; index < 200; index += 1) bed.activity.note(event({ detail: { index } }));
  expect(bed.writes).toEqual([]);
  for (let round = 0; round < 200 && bed.writes.length === 0; round += 1) await Bun.sleep(50);
  await bed.activity.close();
  expect(bed.writes).toEqual([200]);
  expect(await all(bed)).toHaveLength(200);
});

test("the same failure again and again is one row with a count", async () => {
  const bed = open();
  const wrong = event({ outcome: "failed", status: 401, detail: { message: "wrong" } });
  for (let time = 0; time < 5; time += 1) bed.activity.note(wrong);
  bed.activity.note({ ...wrong, address: "192.0.2.2" });
  for (let time = 0; time < 3; time += 1) bed.activity.note(event());
  await bed.activity.close();
  const rows = await all(bed);
  expect(rows.filter(({ outcome }) => outcome === "done")).toHaveLength(3);
  const failed = rows.filter(({ outcome }) => outcome === "failed");
  expect(failed.map(({ address, detail }) => [address, detail.times]).sort()).toEqual([
    ["192.0.2.1", 5],
    ["192.0.2.2", undefined],
  ]);
});

test("strangers who fail under ever other names are counted, and do not fill the disk", async () => {
  const bed = open();
  const stranger = (at: number) =>
    event({
      outcome: "failed",
      status: at % 2 === 0 ? 401 : 429,
      address: `192.0.2.${at % 256}`,
      subject: { kind: "account", id: null, name: `${at}@example.com` },
      detail: { message: "no" },
    });
  for (let at = 0; at < 2000; at += 1) bed.activity.note(stranger(at));
  bed.activity.note(event({ outcome: "failed", actor: { kind: "key", id: "k", name: "k" } }));
  await bed.activity.close();
  const rows = await all(bed);
  const together = rows.filter(({ subject, actor }) => subject === null && actor.kind === "none");
  expect(rows).toHaveLength(240 + 2 + 1);
  expect(together.map(({ status, address, detail }) => [status, address, detail]).sort()).toEqual([
    [401, null, { message: "no", times: 880 }],
    [429, null, { message: "no", times: 880 }],
  ]);
  bed.state.now += 3600 * 1000;
  bed.activity.note(stranger(1));
  await bed.activity.close();
  expect(await all(bed)).toHaveLength(240 + 2 + 1 + 1);
});

test("what could not be written is written later", async () => {
  const bed = open();
  bed.state.down = true;
  for (const first of [true, false]) {
    bed.activity.note(event({ detail: { first } }));
    await bed.activity.close();
    // AuditDetails once, not each second for as long as it lasts.
    expect(bed.errors).toHaveLength(1);
  }
  bed.state.down = false;
  bed.activity.note(event());
  await bed.activity.close();
  expect(await all(bed)).toHaveLength(3);
});

test("more than can wait is counted, and the rest is kept", async () => {
  const bed = open();
  for (let index = 0; index < 5010; index += 1) bed.activity.note(event());
  await bed.activity.close();
  expect(await all(bed)).toHaveLength(5000);
  expect(bed.errors).toEqual([expect.stringContaining("10 events")]);
});

test("what is over its time is not shown, and then removed", async () => {
  const bed = open();
  await catalog.addActivity(Array.from({ length: 1200 }, () => ({ ...event(), at: 10 * DAY - 1 })));
  await catalog.addActivity([{ ...event(), at: 10 * DAY }]);
  expect(await all(bed)).toHaveLength(1);
  await bed.activity.prune();
  expect(await catalog.activity({ limit: 10_000 })).toHaveLength(1);
  bed.state.days = 0;
  bed.activity.note(event());
  await bed.activity.close();
  expect(bed.writes).toEqual([]);
  expect(await all(bed)).toEqual([]);
  await bed.activity.prune();
  expect(await catalog.activity({ limit: 10_000 })).toEqual([]);
});
