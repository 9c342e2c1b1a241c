import { expect } from "bun:test";
import { startServer } from "./harness.ts";

/**
 * Expects that something takes hardly longer than the start of an empty server at the same time, which
 * a busy machine delays as much. Repeated where it does: what waits for anything always takes longer.
 */
export async function expectSoonerThanAServer(
  run: () => Promise<unknown>,
  marginMs = 1000,
): Promise<void> {
  let lateMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && lateMs > marginMs; tries += 1) {
    const now = () => performance.now();
    const starting = startServer();
    const [ended, started] = await Promise.all([run().then(now), starting.then(now)]);
    await (await starting).discard();
    lateMs = ended - started;
  }
  expect(lateMs).toBeLessThan(marginMs);
}
