import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { Fault } from "../domain/faults/fault.ts";
import { createRpcChannel, type MessageBatch, type RpcChannel } from "./rpc-channel.ts";

interface Left {
  double(count: number): number;
  refuse(input: null): void;
  slowly(count: number): Promise<number>;
  wait(input: null): Promise<void>;
}

interface Right {
  greet(name: string): Promise<string>;
}

interface Pair {
  /** Calls the methods of `Left`. */
  readonly left: RpcChannel<Left>;
  readonly right: RpcChannel<Right>;
  readonly batches: MessageBatch[];
}

/** Two ends; batches are cloned, as they are between processes. */
function connected(): Pair {
  const batches: MessageBatch[] = [];
  const left = createRpcChannel<Left>(
    (batch) => {
      batches.push(batch);
      right.receive(structuredClone(batch));
    },
    { greet: async (name: string) => `Hello ${name}` },
  );
  const right: RpcChannel<Right> = createRpcChannel<Right>(
    (batch) => left.receive(structuredClone(batch)),
    {
      double: (count: number) => count * 2,
      slowly: async (count: number) => {
        await setImmediate();
        return count;
      },
      refuse: () => {
        throw new Fault("rate_limited", "Too many.", { retryAfter: 7 });
      },
      wait: () => new Promise(() => {}),
    },
  );
  return { left, right, batches };
}

test("both ends can call each other at the same time", async () => {
  const { left, right } = connected();
  const results = await Promise.all([
    left.call("double", 21),
    right.call("greet", "Ada"),
    left.call("double", 4),
  ]);
  expect(results).toEqual([42, "Hello Ada", 8]);
});

test("a slow call resolves while others come and go", async () => {
  const { left } = connected();
  const slow = left.call("slowly", 7);
  for (let count = 0; count < 5; count += 1)
    expect(await left.call("double", count)).toBe(2 * count);
  expect(await slow).toBe(7);
});

test("calls of one turn go in one batch", async () => {
  const { left, batches } = connected();
  await Promise.all(Array.from({ length: 50 }, (_, count) => left.call("double", count)));
  expect(batches.length).toBe(1);
});

test("a Fault reaches the caller unchanged", async () => {
  const { left } = connected();
  const fault = await left.call("refuse", null).catch((cause: unknown) => cause);
  if (!(fault instanceof Fault)) throw new Error(`No fault: ${fault}`);
  expect([fault.kind, fault.message, fault.retryAfter]).toEqual(["rate_limited", "Too many.", 7]);
});

test("pending and later calls fail when the peer exits", async () => {
  const { left } = connected();
  const pending = left.call("wait", null);
  await left.call("double", 1);
  left.close();
  await expect(pending).rejects.toThrow("has exited");
  await expect(left.call("double", 1)).rejects.toThrow("has exited");
});
