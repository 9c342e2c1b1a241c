import { expect, test } from "bun:test";
import { HoldallError } from "../../../../../sdk/src/error.ts";
import { bulkStore, runBulk } from "./bulk-store.ts";

const busy = () => new HoldallError(429, "Too many requests", { retryAfter: 0 });
const lost = () => new HoldallError(0, "No server");

test("retries rate-limited steps silently", async () => {
  let tries = 0;
  const did: number[] = [];
  const result = await runBulk("Moving", [1, 2, 3], async (item) => {
    tries += 1;
    if (tries % 2 === 1) throw busy();
    did.push(item);
  });
  expect(did).toEqual([1, 2, 3]);
  expect(result).toEqual({ done: 3, failed: 0, failure: undefined });
  expect(bulkStore.get()).toBeUndefined();
});

test("reports that it is waiting, and can be stopped", async () => {
  const messages: (string | undefined)[] = [];
  const off = bulkStore.subscribe(() => {
    const bulk = bulkStore.get();
    messages.push(bulk?.waitingMessage);
    if (bulk?.waitingMessage !== undefined) bulk.stop();
  });
  const result = await runBulk("Moving", [1, 2, 3], async (item) => {
    if (item === 2) throw new HoldallError(429, "Too many requests", { retryAfter: 3_600 });
  });
  off();
  expect(messages).toContainEqual(expect.stringContaining("Continuing automatically"));
  expect(result).toEqual({ done: 1, failed: 0, failure: undefined });
});

test("fails if the server is unreachable from the start, and continues after other failures", async () => {
  const away = await runBulk("Moving", [1], () => Promise.reject(lost()));
  expect(away).toMatchObject({ done: 0, failed: 1, failure: { status: 0 } });
  const taken = new HoldallError(409, "Taken");
  const result = await runBulk("Moving", [1, 2, 3], async (item) => {
    if (item === 2) throw taken;
  });
  expect(result).toEqual({ done: 2, failed: 1, failure: taken });
});
