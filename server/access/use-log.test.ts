import { afterEach, expect, test } from "bun:test";
import type { Credentials } from "../catalog/port.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createApiKeys } from "./api-keys.ts";
import { createClock, dropCredentials, emptyCredentials, SECOND } from "./credentials.fixture.ts";
import { createUseLog } from "./use-log.ts";

afterEach(dropCredentials);

/** Credentials that count what is written to them. */
async function open() {
  const inner = await emptyCredentials(openSqliteCatalog);
  const writes: Parameters<Credentials["noteUse"]>[0][] = [];
  const outage = { now: false };
  const credentials: Credentials = {
    ...inner,
    noteUse(use) {
      writes.push(use);
      return outage.now ? Promise.reject(new Error("The disk is away")) : inner.noteUse(use);
    },
  };
  const clock = createClock();
  const errors: unknown[] = [];
  const onError = (_message: string, cause: unknown): void => void errors.push(cause);
  const useLog = createUseLog({ credentials, onError, now: clock.now });
  const keys = createApiKeys(credentials, clock.now);
  const toldKeys = createApiKeys(credentials, clock.now, useLog.unwritten);
  const { record } = await keys.create({ name: "backup", expiresIn: null });
  const lastUsed = async (): Promise<unknown> => (await keys.list())[0]?.lastUsedAt;
  const toldUse = async (): Promise<unknown> => (await toldKeys.list())[0]?.lastUsedAt;
  return { clock, errors, useLog, writes, outage, record, lastUsed, toldUse };
}

test("many uses are one write, of the latest", async () => {
  const { clock, useLog, writes, record, lastUsed } = await open();
  for (let use = 0; use < 1000; use += 1) {
    clock.pass(1);
    useLog.key(record.id);
    useLog.session("a session that is gone");
  }
  expect(writes).toEqual([]);
  await useLog.close();
  expect(writes).toHaveLength(1);
  expect(await lastUsed()).toBe(clock.now());
});

test("a use is written a moment later, and the next not within the same minute", async () => {
  const { clock, useLog, writes, record, lastUsed } = await open();
  const used = clock.now();
  useLog.key(record.id);
  await Bun.sleep(1200);
  expect(await lastUsed()).toBe(used);
  clock.pass(SECOND);
  useLog.key(record.id);
  await Bun.sleep(1200);
  expect(writes).toHaveLength(1);
  await useLog.close();
  expect(await lastUsed()).toBe(clock.now());
});

test("without a use nothing is written", async () => {
  const { useLog, writes } = await open();
  await useLog.close();
  expect(writes).toEqual([]);
});

test("what could not be written is told, kept and written the next time", async () => {
  const { clock, errors, useLog, outage, record, lastUsed } = await open();
  outage.now = true;
  useLog.key(record.id);
  await useLog.close();
  expect(errors).toEqual([new Error("The disk is away")]);
  expect(await lastUsed()).toBeNull();
  outage.now = false;
  await useLog.close();
  expect(await lastUsed()).toBe(clock.now());
});

test("a use is told from the moment it happens, written or not", async () => {
  const { clock, useLog, outage, record, lastUsed, toldUse } = await open();
  expect(await toldUse()).toBeNull();
  useLog.key(record.id);
  expect(await toldUse()).toBe(clock.now());
  outage.now = true;
  const failing = useLog.close();
  expect(await toldUse()).toBe(clock.now());
  await failing;
  expect(await toldUse()).toBe(clock.now());
  expect(await lastUsed()).toBeNull();
  outage.now = false;
  await useLog.close();
  clock.pass(SECOND);
  expect(await toldUse()).toBe(clock.now() - SECOND);
});
