import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  animateWebp,
  decode,
  encodeGif,
  encodeJpeg,
  encodePng,
  encodeWebp,
  type Pixel,
  pngChunk,
  pngOf,
  withExif,
} from "../../test/image-encoders.ts";
import { firstGifFrame } from "../lib/first-gif-frame.ts";
import { readImageTraits } from "../lib/image-traits.ts";
import { renderImage } from "./render-image.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-render-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function render(image: Uint8Array) {
  const path = join(folder, "image");
  await Bun.write(path, image);
  return renderImage({ path, edge: 320, quality: 95, format: "png", maxPixels: 1_000_000 });
}

/** The image, and its colors near the corners: top left, top right, bottom left, bottom right. */
async function rendered(image: Uint8Array) {
  const result = await render(image);
  if (!("bytes" in result)) throw new Error(result.flaw);
  const { width, height, at } = await decode(result.bytes);
  const [right, bottom] = [width - 2, height - 2];
  const corners = [
    await at(1, 1),
    await at(right, 1),
    await at(1, bottom),
    await at(right, bottom),
  ];
  return { width, height, corners: corners.map(nameOf).join(" ") };
}

const COLORS: Readonly<Record<string, Pixel>> = {
  red: [250, 0, 0],
  green: [0, 250, 0],
  blue: [0, 0, 250],
  white: [250, 250, 250],
};
const nameOf = ([red, green, blue, alpha]: Pixel): string =>
  alpha === 0
    ? "none"
    : (Object.entries(COLORS).find(([, color]) =>
        [red, green, blue].every((part, at) => Math.abs(part - (color[at] ?? 0)) < 40),
      )?.[0] ?? `${red},${green},${blue}`);

const quarters =
  (width: number, height: number) =>
  (x: number, y: number): Pixel => {
    const row = y < height / 2 ? ["red", "green"] : ["blue", "white"];
    return COLORS[row[x < width / 2 ? 0 : 1] ?? "red"] ?? [0, 0, 0];
  };

/** EXIF data with an orientation alone, as the chunk `eXIf` has them. */
function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write("MM\0*", 0, "latin1");
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

function pngWith(chunks: readonly (readonly [string, Uint8Array])[], colorType = 2): Buffer {
  const channels = colorType === 0 ? 1 : 3;
  const lines = Buffer.alloc(30 * (1 + 40 * channels));
  return pngOf(40, 30, lines, {
    colorType,
    more: chunks.map(([name, data]) => pngChunk(name, data)),
  });
}

// As Chromium shows them.
test.each([
  [1, "red green blue white"],
  [2, "green red white blue"],
  [3, "white blue green red"],
  [4, "blue white red green"],
  [5, "red blue green white"],
  [6, "blue red white green"],
  [7, "white green blue red"],
  [8, "green white red blue"],
])("turns a PNG and a JPEG by the EXIF orientation %d", async (orientation, corners) => {
  const [width, height] = [40, 30];
  const size = orientation < 5 ? { width, height } : { width: height, height: width };
  const png = encodePng(width, height, quarters(width, height));
  const withChunk = Buffer.concat([
    png.subarray(0, 33),
    pngChunk("eXIf", exifOf(orientation)),
    png.subarray(33),
  ]);
  expect(await rendered(withChunk)).toEqual({ ...size, corners });
  const jpeg = withExif(await encodeJpeg(width, height, quarters(width, height)), orientation, "x");
  expect(await rendered(jpeg)).toEqual({ ...size, corners });
});

test("an EXIF orientation after the pixels of a PNG is ignored, as in Chromium", async () => {
  const png = encodePng(40, 30, quarters(40, 30));
  const end = png.length - 12;
  const image = Buffer.concat([
    png.subarray(0, end),
    pngChunk("eXIf", exifOf(6)),
    png.subarray(end),
  ]);
  expect(await rendered(image)).toMatchObject({ width: 40, height: 30 });
});

/** A GIF of 40 × 30 whose only frame begins at the given place. */
function gifAt(left: number, top: number, width = 20, height = 15): Buffer {
  const gif = encodeGif(width, height, [() => [250, 250, 250]]);
  gif.writeUInt16LE(40, 6);
  gif.writeUInt16LE(30, 8);
  const descriptor = 13 + 3 * 128;
  gif.writeUInt16LE(left, descriptor + 1);
  gif.writeUInt16LE(top, descriptor + 3);
  return gif;
}

test("a first frame of a GIF stays at its place on the canvas", async () => {
  const size = { width: 40, height: 30 };
  expect(await rendered(gifAt(0, 0))).toEqual({ ...size, corners: "white none none none" });
  expect(await rendered(gifAt(20, 15))).toEqual({ ...size, corners: "none none none white" });
});

test("draws any content of a frame, with any palette and with rows in any order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 127 }), { minLength: 300, maxLength: 300 }),
      async (greys) => {
        const gif = encodeGif(20, 15, [(x, y) => [2 * (greys[20 * y + x] ?? 0), 0, 0]]);
        gif.writeUInt16LE(21, 6);
        const frame = firstGifFrame(gif);
        if (frame === undefined) throw new Error("The frame does not fill the canvas");
        for (const [at, grey] of greys.entries()) {
          const from = 4 * (21 * Math.floor(at / 20) + (at % 20));
          expect([...frame.pixels.subarray(from, from + 4)]).toEqual([
            ...new Array<number>(3).fill(2 * grey),
            255,
          ]);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("damaged GIFs, and other bytes, never throw", () => {
  const gif = gifAt(20, 15);
  fc.assert(
    fc.property(fc.nat(gif.length), fc.uint8Array({ maxLength: 40 }), (at, noise) => {
      const damaged = Buffer.from(gif);
      damaged.set(noise.subarray(0, gif.length - at), at);
      // The canvas stays small, as the limit of pixels would keep it.
      damaged.writeUInt32LE(0x001e0028, 6);
      firstGifFrame(damaged);
      firstGifFrame(damaged.subarray(0, at));
    }),
    { numRuns: 500 },
  );
});

const SRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
const WIDE = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];

test.each<[string, Buffer, boolean]>([
  ["no color information", pngWith([]), true],
  [
    "gAMA and cHRM of sRGB",
    pngWith([
      ["gAMA", numbers(45_455)],
      ["cHRM", numbers(...SRGB)],
    ]),
    true,
  ],
  ["linear gAMA", pngWith([["gAMA", numbers(100_000)]]), false],
  [
    "linear gAMA below sRGB",
    pngWith([
      ["sRGB", Buffer.of(0)],
      ["gAMA", numbers(100_000)],
    ]),
    true,
  ],
  [
    "a wide cHRM",
    pngWith([
      ["gAMA", numbers(45_455)],
      ["cHRM", numbers(...WIDE)],
    ]),
    false,
  ],
  ["cICP of Display P3", pngWith([["cICP", Buffer.of(12, 13, 0, 1)]]), false],
  ["cICP of sRGB", pngWith([["cICP", Buffer.of(1, 13, 0, 1)]]), true],
  ["a grey profile", pngWith([["iCCP", Buffer.from("p\0\0")]], 0), false],
  [
    "a default image that is no frame",
    Buffer.concat([
      pngWith([["acTL", new Uint8Array(8)]]).subarray(0, -12),
      pngChunk("fcTL", new Uint8Array(26)),
    ]),
    false,
  ],
])(
  "decides whether a PNG with %s looks the same in a smaller size",
  async (_name, png, isPlain) => {
    expect(readImageTraits(png).isPlain).toBe(isPlain);
    if (!isPlain) expect(await render(png)).toEqual({ flaw: "not plain" });
  },
);

/** A JPEG's start with so many components and a profile of this color space. */
function jpegStart(components: number, space: string | undefined): Buffer {
  const profile = Buffer.alloc(130);
  profile.write(space ?? "", 16);
  const data = Buffer.concat([Buffer.from("ICC_PROFILE\0"), Buffer.of(1, 1), profile]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  const segment = space === undefined ? [] : [Buffer.of(0xff, 0xe2), length, data];
  const frame = Buffer.of(0xff, 0xc0, 0, 11, 8, 0, 9, 0, 7, components, 0, 0, 0, 0xff, 0xda, 0, 2);
  return Buffer.concat([Buffer.of(0xff, 0xd8), ...segment, frame]);
}

test.each([
  [1, undefined, true],
  [1, "GRAY", false],
  [3, undefined, true],
  [3, "RGB ", true],
  [3, "Lab ", false],
  [4, undefined, false],
  [4, "CMYK", false],
])("a JPEG of %d components and the profile %p has smaller sizes: %p", (components, space, is) => {
  expect(readImageTraits(jpegStart(components, space)).isPlain).toBe(is);
});

test("an animated WebP whose first frame is smaller than its canvas is not plain", async () => {
  const still = await encodeWebp(20, 15, () => [250, 0, 0]);
  expect(readImageTraits(animateWebp(20, 15, [still])).isPlain).toBe(true);
  const moved = animateWebp(20, 15, [still]);
  // The frame's left edge, in pairs of pixels.
  moved[moved.indexOf("ANMF") + 8] = 2;
  expect(readImageTraits(moved).isPlain).toBe(false);
});

test("damaged images never throw, and other bytes are plain", () => {
  const images = [pngWith([["eXIf", exifOf(6)]]), jpegStart(4, "CMYK"), gifAt(1, 1)];
  fc.assert(
    fc.property(fc.constantFrom(...images), fc.nat(60), fc.uint8Array(), (image, keep, noise) => {
      readImageTraits(Buffer.concat([image.subarray(0, keep), noise]));
    }),
    { numRuns: 2000 },
  );
});
