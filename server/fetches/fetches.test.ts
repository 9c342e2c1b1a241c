import { expect, test } from "bun:test";
import { failureOf } from "./fetches.ts";

/** Sends a byte every 20 ms. */
async function* dripping(): AsyncGenerator<Uint8Array> {
  for (;;) {
    // The pace of the source.
    await Bun.sleep(20);
    yield new Uint8Array(1);
  }
}

test("a source that drips is given up, so that the next one has its turn", async () => {
  const pace = { silenceMs: 60_000, bytesPerSecond: 1000, windowMs: 200 };
  const { stream, failure } = failureOf(dripping(), pace);
  await expect(new Response(stream).bytes()).rejects.toThrow();
  expect(failure()).toMatchObject({
    message: "The body arrived more slowly than 1000 bytes per second for 0.2 seconds.",
  });
});
