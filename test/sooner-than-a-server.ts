import { expect } from "bun:test";
import { startServer } from "./harness.ts";

/** What it may take longer than the start of a server. */
const MARGIN_MS = 1000;

/**
 * Expects that something takes at most a second longer than the start of an empty server at the same time, which
 * a busy machine delays as much. Repeated where it does: what waits for anything always takes longer.
 */
export async function expectSoonerThanAServer(run: () => Promise<unknown>): Promise<void> {
  let lateMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && lateMs > MARGIN_MS; tries += 1) {
    const now = () => performance.now();
    const starting = startServer();
    const [ended, started] = await Promise.all([run().then(now), starting.then(now)]);
    await (await starting).discard();
    lateMs = ended - started;
  }
  expect(lateMs).toBeLessThan(MARGIN_MS);
}
