import { expect, test } from "bun:test";
import { createBodyPace, type MinimumPace } from "./body-pace.ts";

const pace: MinimumPace = { silenceMs: 1000, bytesPerSecond: 1000, windowMs: 200 };

/** Waits for `chunks` chunks, each of which arrives after `everyMs`. */
async function receive(minimum: MinimumPace, chunks: number, bytes: number, everyMs: number) {
  const body = createBodyPace(minimum);
  try {
    for (let count = 0; count < chunks; count += 1) {
      await body.wait(Bun.sleep(everyMs));
      body.count(bytes);
    }
  } finally {
    body.end();
  }
}

test("a slow body is never ended while it is as fast as the minimum", async () => {
  await receive({ ...pace, bytesPerSecond: 10 }, 30, 1, 20);
});

test("a body that is slower than the minimum for a whole window is ended", async () => {
  await expect(receive(pace, 100, 1, 20)).rejects.toThrow(
    "The body arrived more slowly than 1000 bytes per second for 0.2 seconds.",
  );
});

test("a body that was fast before does not make up for a window that is too slow", async () => {
  const body = createBodyPace(pace);
  await body.wait(Promise.resolve());
  body.count(1_000_000);
  const slow = async () => {
    for (let count = 0; count < 100; count += 1) {
      await body.wait(Bun.sleep(20));
      body.count(1);
    }
  };
  await expect(slow()).rejects.toThrow("more slowly");
  body.end();
});

test("a body that is silent is ended, however fast it was", async () => {
  const body = createBodyPace({ ...pace, silenceMs: 50 });
  await body.wait(Promise.resolve());
  body.count(1_000_000);
  const { promise: never } = Promise.withResolvers<void>();
  await expect(body.wait(never)).rejects.toThrow(
    "No byte of the body has arrived for 0.05 seconds.",
  );
  body.end();
});

test("the time in which the server does not wait does not count", async () => {
  const body = createBodyPace({ ...pace, silenceMs: 100, windowMs: 50 });
  for (let count = 0; count < 3; count += 1) {
    await body.wait(Promise.resolve());
    body.count(1);
    // Longer than the client may be silent.
    await Bun.sleep(150);
  }
  body.end();
});

test("a broken body rejects with its own error", async () => {
  const body = createBodyPace(pace);
  await expect(body.wait(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  body.end();
});
