import { afterAll, expect, test } from "bun:test";
import { startServer } from "../harness.ts";
import { createLimitedAttacker } from "./limited-attacker.ts";

const server = await startServer();
afterAll(() => server.discard());

test("hostile requests with a key for one folder get nothing from outside and change nothing there", async () => {
  const attacker = await createLimitedAttacker(server);
  expect(await attacker.sendRequests()).toBeGreaterThan(100);
  for (let seed = 0; seed < 100; seed += 1) await attacker.attack(3_000_000 + seed);
  expect(await attacker.problems()).toEqual([]);
  expect(server.output()).not.toContain("Unexpected server error");
});
