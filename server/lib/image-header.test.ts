import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  animateWebp,
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  pngChunk,
  pngOf,
  withExif,
} from "../../test/image-encoders.ts";
import { readImageHeader } from "./image-header.ts";

const grey = () => [128, 128, 128] as const;
const sides = fc.integer({ min: 1, max: 40 });

test("reads the dimensions of every format", async () => {
  await fc.assert(
    fc.asyncProperty(sides, sides, async (width, height) => {
      const size = { width, height };
      expect(readImageHeader(encodePng(width, height, grey))).toMatchObject({
        format: "png",
        ...size,
      });
      expect(readImageHeader(encodeGif(width, height, [grey]))).toMatchObject({
        format: "gif",
        ...size,
      });
      const jpeg = await encodeJpeg(width, height, grey);
      expect(readImageHeader(withExif(jpeg, 6, "note"))).toMatchObject({ format: "jpeg", ...size });
      const webp = await encodeWebp(width, height, grey);
      expect(readImageHeader(webp)).toMatchObject({ format: "webp", ...size });
      const animated = animateWebp(width, height, [webp, webp]);
      expect(readImageHeader(animated)).toMatchObject({ format: "webp", ...size });
      const lossless = await new Bun.Image(encodePng(width, height, grey))
        .webp({ lossless: true })
        .buffer();
      expect(readImageHeader(lossless)).toMatchObject({ format: "webp", ...size });
    }),
    { numRuns: 20 },
  );
});

test("never throws, and the start of an image is incomplete rather than something else", async () => {
  const images = [
    encodePng(9, 7, grey),
    encodeGif(9, 7, [grey]),
    withExif(await encodeJpeg(9, 7, grey), 1, "x".repeat(300)),
    await encodeWebp(9, 7, grey),
  ];
  for (const image of images) {
    for (let length = 10; length < image.length; length += 1) {
      const header = readImageHeader(image.subarray(0, length));
      if (header !== "incomplete") expect(header).toMatchObject({ width: 9, height: 7 });
    }
  }
  fc.assert(
    fc.property(fc.constantFrom(...images), fc.uint8Array({ maxLength: 200 }), (image, noise) => {
      for (const keep of [0, 3, 8, 12, 20, 24]) {
        const header = readImageHeader(Buffer.concat([image.subarray(0, keep), noise]));
        if (typeof header !== "object") continue;
        expect(header.width).toBeGreaterThan(0);
        expect(header.height).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2000 },
  );
});

test("knows which images may be transparent", () => {
  const opaque = pngOf(1, 1, new Uint8Array(4), { colorType: 2 });
  expect(readImageHeader(opaque)).toMatchObject({ mayBeTransparent: false });
  const transparentColor = pngOf(1, 1, new Uint8Array(4), {
    colorType: 2,
    more: [pngChunk("tRNS", new Uint8Array(6))],
  });
  expect(readImageHeader(transparentColor)).toMatchObject({ mayBeTransparent: true });
  expect(readImageHeader(encodePng(1, 1, grey))).toMatchObject({ mayBeTransparent: true });
});

test.each([
  ["a text", "GIF is a format"],
  ["HTML", "<img>"],
  ["a JPEG without a frame", "\xff\xd8\xff\xd9\x00\x00"],
  ["a JPEG whose scan comes first", "\xff\xd8\xff\xda\x00\x02\x00\x00"],
  ["a RIFF file that is no WebP", `RIFF\0\0\0\0WAVEfmt ${"\0".repeat(20)}`],
  ["a PNG without a header", `\x89PNG\r\n\x1a\n\0\0\0\rIDAT${"\0".repeat(30)}`],
  ["an image without pixels", `GIF89a${"\0".repeat(20)}`],
])("%s is not an image", (_, content) => {
  expect(readImageHeader(Buffer.from(content, "latin1"))).toBeUndefined();
});
