import { expect, test } from "bun:test";
import fc from "fast-check";
import { animateWebp, decode, encodeWebp } from "../../test/image-encoders.ts";
import { firstWebpFrame } from "./first-webp-frame.ts";

test("returns the first frame as an image", async () => {
  const dark = await encodeWebp(20, 10, () => [20, 20, 20]);
  const light = await encodeWebp(20, 10, () => [230, 230, 230]);
  const frame = firstWebpFrame(animateWebp(20, 10, [dark, light]));
  const image = await decode(frame ?? new Uint8Array());
  expect([image.width, image.height]).toEqual([20, 10]);
  const [red] = await image.at(5, 5);
  expect(red).toBeLessThan(60);
});

test("a still image has no frames, and damaged animations never throw", async () => {
  const still = await encodeWebp(8, 8, () => [9, 9, 9]);
  expect(firstWebpFrame(still)).toBeUndefined();
  const animated = animateWebp(8, 8, [still]);
  for (let length = 0; length < animated.length; length += 1) {
    expect(firstWebpFrame(animated.subarray(0, length))).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.nat(animated.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(animated);
      damaged[at] = byte;
      firstWebpFrame(damaged);
    }),
  );
});
