import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../test/expectations.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { ActivityLog } from "../catalog/port/insight.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import type { NewActivity } from "../domain/activity.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
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

interface Fixture {
  readonly activity: Activity;
  readonly errors: string[];
  readonly writes: number[];
  readonly state: { now: number; days: number; down: boolean };
}

function open(): Fixture {
  const errors: string[] = [];
  const writes: number[] = [];
  const state = { now: 100 * DAY, days: 90, down: false };
  const log: ActivityLog = {
    addActivity(events) {
      writes.push(events.length);
      return state.down
        ? Promise.reject(new Error("The disk is gone"))
        : catalog.addActivity(events);
    },
    activity: (caller, wanted) => catalog.activity(caller, wanted),
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

const all = ({ activity }: Fixture) => activity.list(COMMAND_EVERYWHERE, { limit: 10_000 });

test("writes all events of a second in one transaction", async () => {
  const fixture = open();
  for (let index = 0; index < 200; index += 1)
    fixture.activity.record(event({ detail: { index } }));
  expect(fixture.writes).toEqual([]);
  await eventually("they are written", () => fixture.writes.length > 0);
  await fixture.activity.close();
  expect(fixture.writes).toEqual([200]);
  expect(await all(fixture)).toHaveLength(200);
});

test("repeated identical failures become one row with a count", async () => {
  const fixture = open();
  const wrong = event({ outcome: "failed", status: 401, detail: { message: "wrong" } });
  for (let round = 0; round < 5; round += 1) fixture.activity.record(wrong);
  fixture.activity.record({ ...wrong, address: "192.0.2.2" });
  for (let round = 0; round < 3; round += 1) fixture.activity.record(event());
  await fixture.activity.close();
  const rows = await all(fixture);
  expect(rows.filter(({ outcome }) => outcome === "done")).toHaveLength(3);
  const failed = rows.filter(({ outcome }) => outcome === "failed");
  expect(failed.map(({ address, detail }) => [address, detail.times]).sort()).toEqual([
    ["192.0.2.1", 5],
    ["192.0.2.2", undefined],
  ]);
});

test("limits the rows of anonymous failures and counts the rest", async () => {
  const fixture = open();
  const anonymousFailure = (at: number) =>
    event({
      outcome: "failed",
      status: at % 2 === 0 ? 401 : 429,
      address: `192.0.2.${at % 256}`,
      subject: { kind: "account", id: null, name: `${at}@example.com` },
      detail: { message: "no" },
    });
  for (let at = 0; at < 2000; at += 1) fixture.activity.record(anonymousFailure(at));
  fixture.activity.record(event({ outcome: "failed", actor: { kind: "key", id: "k", name: "k" } }));
  await fixture.activity.close();
  const rows = await all(fixture);
  const aggregated = rows.filter(({ subject, actor }) => subject === null && actor.kind === "none");
  expect(rows).toHaveLength(240 + 2 + 1);
  expect(aggregated.map(({ status, address, detail }) => [status, address, detail]).sort()).toEqual(
    [
      [401, null, { message: "no", times: 880 }],
      [429, null, { message: "no", times: 880 }],
    ],
  );
  fixture.state.now += 3600 * 1000;
  fixture.activity.record(anonymousFailure(1));
  await fixture.activity.close();
  expect(await all(fixture)).toHaveLength(240 + 2 + 1 + 1);
});

test("a failed write is tried again later", async () => {
  const fixture = open();
  fixture.state.down = true;
  for (const first of [true, false]) {
    fixture.activity.record(event({ detail: { first } }));
    await fixture.activity.close();
    // Reported once, not for every retry.
    expect(fixture.errors).toHaveLength(1);
  }
  fixture.state.down = false;
  fixture.activity.record(event());
  await fixture.activity.close();
  expect(await all(fixture)).toHaveLength(3);
});

test("drops and counts the events that exceed the buffer", async () => {
  const fixture = open();
  for (let index = 0; index < 5010; index += 1) fixture.activity.record(event());
  await fixture.activity.close();
  expect(await all(fixture)).toHaveLength(5000);
  expect(fixture.errors).toEqual([expect.stringContaining("10 events")]);
});

test("hides, then removes, events past the retention period", async () => {
  const fixture = open();
  await catalog.addActivity(Array.from({ length: 1200 }, () => ({ ...event(), at: 10 * DAY - 1 })));
  await catalog.addActivity([{ ...event(), at: 10 * DAY }]);
  expect(await all(fixture)).toHaveLength(1);
  await fixture.activity.prune(fixture.state.now);
  expect(await catalog.activity(COMMAND_EVERYWHERE, { limit: 10_000 })).toHaveLength(1);
  fixture.state.days = 0;
  fixture.activity.record(event());
  await fixture.activity.close();
  expect(fixture.writes).toEqual([]);
  expect(await all(fixture)).toEqual([]);
  await fixture.activity.prune(fixture.state.now);
  expect(await catalog.activity(COMMAND_EVERYWHERE, { limit: 10_000 })).toEqual([]);
});
