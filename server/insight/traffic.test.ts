import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createTraffic, HOUR, type Traffic } from "./traffic.ts";

let folder: string;
let catalog: Catalog;
let clock = 0;
let down = false;
const errors: string[] = [];
const opened: Traffic[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-insight-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  clock = 1000 * HOUR;
  down = false;
  errors.length = 0;
});
afterEach(async () => {
  for (const traffic of opened.splice(0)) await traffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

function open(): Traffic {
  const traffic = createTraffic({
    log: {
      addTraffic: (hours) =>
        down ? Promise.reject(new Error("The disk is away")) : catalog.addTraffic(hours),
      traffic: (since) => catalog.traffic(since),
      removeTraffic: (before) => catalog.removeTraffic(before),
    },
    onError: (message) => void errors.push(message),
    now: () => clock,
  });
  opened.push(traffic);
  return traffic;
}

const at = (hour: number, requests: number, bytes: number, failed: number) => ({
  hour: hour * HOUR,
  requests,
  bytes,
  errors: failed,
});

test("what was counted is told at once, and with what was kept", async () => {
  const traffic = open();
  traffic.answered(200);
  traffic.sending(100);
  traffic.answered(404);
  traffic.answered(304);
  expect(await traffic.since(clock - 2 * HOUR)).toEqual([
    at(998, 0, 0, 0),
    at(999, 0, 0, 0),
    at(1000, 3, 100, 1),
  ]);
  await traffic.close();
  expect(await catalog.traffic(0)).toEqual([at(1000, 3, 100, 1)]);
  traffic.answered(206);
  traffic.sending(2 ** 40);
  expect(await traffic.since(clock)).toEqual([at(1000, 4, 2 ** 40 + 100, 1)]);
  await traffic.close();
  await traffic.close();
  expect(await catalog.traffic(0)).toEqual([at(1000, 4, 2 ** 40 + 100, 1)]);
});

test("each hour has its own", async () => {
  const traffic = open();
  traffic.answered(200);
  clock += HOUR;
  await traffic.close();
  traffic.answered(200);
  traffic.answered(200);
  expect(await traffic.since(clock - HOUR)).toEqual([at(1000, 1, 0, 0), at(1001, 2, 0, 0)]);
});

test("what could not be written stays counted", async () => {
  const traffic = open();
  traffic.answered(500);
  traffic.sending(7);
  down = true;
  await traffic.close();
  expect(errors).toHaveLength(1);
  expect(await traffic.since(clock)).toEqual([at(1000, 1, 7, 1)]);
  down = false;
  await traffic.close();
  expect(await catalog.traffic(0)).toEqual([at(1000, 1, 7, 1)]);
});

test("after 90 days it is forgotten", async () => {
  clock = 10_000 * HOUR;
  const oldest = 10_000 - 90 * 24;
  await catalog.addTraffic([at(oldest - 1, 1, 1, 1), at(oldest, 2, 2, 2)]);
  await open().close();
  expect(await catalog.traffic(0)).toEqual([at(oldest, 2, 2, 2)]);
});
