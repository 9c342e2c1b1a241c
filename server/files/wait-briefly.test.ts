import { expect, test } from "bun:test";
import { waitBriefly } from "./wait-briefly.ts";

test("a removal that does not end is left to itself", async () => {
  let isRemoved = false;
  const removal = Promise.withResolvers<void>();
  const left = removal.promise.then(() => {
    isRemoved = true;
  });
  await waitBriefly(left, 20);
  expect(isRemoved).toBe(false);
  removal.resolve();
  await left;
  expect(isRemoved).toBe(true);
});

test("a removal that ends soon is waited for", async () => {
  let isRemoved = false;
  const removal = Bun.sleep(5).then(() => {
    isRemoved = true;
  });
  await waitBriefly(removal, 60_000);
  expect(isRemoved).toBe(true);
});
