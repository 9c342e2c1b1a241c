import { expect, test } from "bun:test";
import { expectFault } from "../../catalog/suite/catalog.fixture.ts";
import { pacedBody } from "./paced-body.ts";

const chunk = (bytes: number): Uint8Array => new Uint8Array(bytes);

async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const { length: bytes } of body) length += bytes;
  return length;
}

test("a body that arrives fast enough is passed on, however long the server takes", async () => {
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    for (let count = 0; count < 3; count += 1) yield chunk(1000);
  }
  const paced = pacedBody(body(), { bytesPerSecond: 1, windowMs: 60_000 });
  let length = 0;
  for await (const { length: bytes } of paced) {
    length += bytes;
    await Bun.sleep(5);
  }
  expect(length).toBe(3000);
});

test("a body that stops is refused", async () => {
  const { promise: never } = Promise.withResolvers<void>();
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    yield chunk(1);
    await never;
  }
  const paced = pacedBody(body(), { bytesPerSecond: 1000, windowMs: 50 });
  await expectFault(lengthOf(paced), "too_slow", "1000 bytes per second");
});

test("a body that trickles is refused", async () => {
  let isEnded = false;
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (;;) {
        await Bun.sleep(10);
        yield chunk(1);
      }
    } finally {
      isEnded = true;
    }
  }
  await expectFault(
    lengthOf(pacedBody(body(), { bytesPerSecond: 1000, windowMs: 50 })),
    "too_slow",
  );
  await Bun.sleep(20);
  expect(isEnded).toBe(true);
});
