import { expect, test } from "bun:test";
import { expectFault } from "../catalog/suite/catalog.fixture.ts";
import { createPlanLimit } from "./plan-limit.ts";

test("plans run beside each other up to the limit; further ones are unavailable until one ends", async () => {
  const limit = createPlanLimit(2);
  const { promise: first, resolve } = Promise.withResolvers<string>();
  const { promise: second, reject } = Promise.withResolvers<string>();
  const running = [limit(() => first), limit(() => second)];
  await expectFault(
    limit(async () => "third"),
    "unavailable",
  );
  resolve("first");
  expect(await running[0]).toBe("first");
  expect(await limit(async () => "third")).toBe("third");
  reject(new Error("broken"));
  await expect(running[1]).rejects.toThrow("broken");
  expect(await Promise.all([limit(async () => "a"), limit(async () => "b")])).toEqual(["a", "b"]);
});
