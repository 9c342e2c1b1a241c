import { expect, test } from "bun:test";
import { HoldallError } from "../../../../../sdk/src/error.ts";
import { runBulk } from "./bulk-store.ts";
import { once } from "./once.ts";

test("a step is not repeated after its response was lost", async () => {
  const tried: number[] = [];
  const send = async (item: number): Promise<void> => {
    tried.push(item);
    if (item === 2) throw new HoldallError(0, "No server");
  };
  const result = await runBulk("Moving", [1, 2, 3], (item) => once(send(item)));
  expect(tried).toEqual([1, 2, 3]);
  expect(result).toMatchObject({ done: 2, failed: 1, failure: { message: "No server" } });
});

test("a step is repeated after a 429, because the server did nothing", async () => {
  let tries = 0;
  const send = async (): Promise<void> => {
    tries += 1;
    if (tries === 1) throw new HoldallError(429, "Too many requests", { retryAfter: 0 });
  };
  const result = await runBulk("Moving", [1], () => once(send()));
  expect(result).toEqual({ done: 1, failed: 0, failure: undefined });
  expect(tries).toBe(2);
});
