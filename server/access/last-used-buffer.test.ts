import { afterEach, expect, test } from "bun:test";
import { eventually } from "../../test/expectations.ts";
import type { Credentials } from "../catalog/port/credentials.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createApiKeys } from "./api-keys.ts";
import { createClock, dropCredentials, emptyCredentials, SECOND } from "./credentials.fixture.ts";
import { createLastUsedBuffer } from "./last-used-buffer.ts";

afterEach(dropCredentials);

/** Credentials that count what is written to them. */
async function open() {
  const inner = await emptyCredentials(openSqliteCatalog);
  const writes: Parameters<Credentials["recordUse"]>[0][] = [];
  const outage = { isOn: false };
  const credentials: Credentials = {
    ...inner,
    recordUse(use) {
      writes.push(use);
      return outage.isOn ? Promise.reject(new Error("The disk is gone")) : inner.recordUse(use);
    },
  };
  const clock = createClock();
  const errors: unknown[] = [];
  const onError = (_message: string, cause: unknown): void => void errors.push(cause);
  const lastUsedBuffer = createLastUsedBuffer({ credentials, onError, now: clock.now });
  const keys = createApiKeys(credentials, clock.now);
  const bufferedKeys = createApiKeys(credentials, clock.now, lastUsedBuffer);
  const { record } = await keys.create({ name: "backup", expiresIn: null });
  const storedUse = async (): Promise<unknown> => (await keys.list())[0]?.lastUsedAt;
  const listedUse = async (): Promise<unknown> => (await bufferedKeys.list())[0]?.lastUsedAt;
  return { clock, errors, lastUsedBuffer, writes, outage, record, storedUse, listedUse };
}

test("many uses cause one write, of the latest", async () => {
  const { clock, lastUsedBuffer, writes, record, storedUse } = await open();
  for (let use = 0; use < 1000; use += 1) {
    clock.pass(1);
    lastUsedBuffer.recordKey(record.id);
    lastUsedBuffer.recordSession("a session that is gone");
  }
  expect(writes).toEqual([]);
  await lastUsedBuffer.close();
  expect(writes).toHaveLength(1);
  expect(await storedUse()).toBe(clock.now());
});

test("writes the first use after a moment, and the next not within the same minute", async () => {
  const { clock, lastUsedBuffer, writes, record, storedUse } = await open();
  const used = clock.now();
  lastUsedBuffer.recordKey(record.id);
  await eventually("the use is stored", async () => (await storedUse()) === used);
  clock.pass(SECOND);
  lastUsedBuffer.recordKey(record.id);
  // Longer than the first use waited.
  await Bun.sleep(1200);
  expect(writes).toHaveLength(1);
  await lastUsedBuffer.close();
  expect(await storedUse()).toBe(clock.now());
});

test("writes nothing without a use", async () => {
  const { lastUsedBuffer, writes } = await open();
  await lastUsedBuffer.close();
  expect(writes).toEqual([]);
});

test("a failed write is reported, and tried again with the next flush", async () => {
  const { clock, errors, lastUsedBuffer, outage, record, storedUse } = await open();
  outage.isOn = true;
  lastUsedBuffer.recordKey(record.id);
  await lastUsedBuffer.close();
  expect(errors).toEqual([new Error("The disk is gone")]);
  expect(await storedUse()).toBeNull();
  outage.isOn = false;
  await lastUsedBuffer.close();
  expect(await storedUse()).toBe(clock.now());
});

test("the list shows a use at once, written or not", async () => {
  const { clock, lastUsedBuffer, outage, record, storedUse, listedUse } = await open();
  expect(await listedUse()).toBeNull();
  lastUsedBuffer.recordKey(record.id);
  expect(await listedUse()).toBe(clock.now());
  outage.isOn = true;
  const failing = lastUsedBuffer.close();
  expect(await listedUse()).toBe(clock.now());
  await failing;
  expect(await listedUse()).toBe(clock.now());
  expect(await storedUse()).toBeNull();
  outage.isOn = false;
  await lastUsedBuffer.close();
  clock.pass(SECOND);
  expect(await listedUse()).toBe(clock.now() - SECOND);
});
