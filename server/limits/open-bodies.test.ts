import { expect, test } from "bun:test";
import { createOpenBodies } from "./open-bodies.ts";

test("a client sends at most so many bodies at a time, and others are not affected", () => {
  const open = createOpenBodies(2);
  const close = open("a");
  open("a");
  expect(() => open("a")).toThrow("Your address is sending 2 requests already.");
  open("b");
  close();
  open("a");
  expect(() => open("a")).toThrow("2 requests");
});
