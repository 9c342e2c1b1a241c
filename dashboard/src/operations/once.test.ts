import { expect, test } from "bun:test";
import { HoldallError } from "../../../sdk/src/connection/error.ts";
import { once } from "./once.ts";
import { runSteps } from "./run-steps.ts";

const options = { sizeOf: () => 1, signal: new AbortController().signal, onProgress() {} };

test("a step is not repeated after its response was lost", async () => {
  const tried: number[] = [];
  const send = async (item: number): Promise<void> => {
    tried.push(item);
    if (item === 2) throw new HoldallError(0, "No server");
  };
  const result = await runSteps([1, 2, 3], (item) => once(send(item)), options);
  expect(tried).toEqual([1, 2, 3]);
  expect(result).toMatchObject({ done: 2, failed: 1, failure: { message: "No server" } });
});

test("a step is repeated after a 429, because the server did nothing", async () => {
  let tries = 0;
  const send = async (): Promise<void> => {
    tries += 1;
    if (tries === 1) throw new HoldallError(429, "Too many requests", { retryAfter: 0 });
  };
  const result = await runSteps([1], () => once(send()), options);
  expect(result).toEqual({ done: 1, failed: 0, failure: undefined });
  expect(tries).toBe(2);
});
