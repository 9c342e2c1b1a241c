import { expect, test } from "bun:test";
import { decode, encodeWebp, withProfile } from "../../test/image-encoders.ts";
import { dropSrgbProfile } from "./drop-srgb-profile.ts";

const SRGB = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
];
const DISPLAY_P3 = [
  [0.5151, 0.2412, -0.0011],
  [0.292, 0.6922, 0.0419],
  [0.1571, 0.0666, 0.7841],
];

const TAGS = ["desc", "rTRC", "gTRC", "bTRC", "rXYZ", "gXYZ", "bXYZ"];

/** A curve as a table of the light for evenly spaced values. */
function tableOf(points: number, light: (value: number) => number): Buffer {
  const data = Buffer.alloc(12 + 2 * points);
  data.write("curv");
  data.writeUInt32BE(points, 8);
  for (let at = 0; at < points; at += 1) {
    data.writeUInt16BE(Math.round(light(at / (points - 1)) * 65_535), 12 + 2 * at);
  }
  return data;
}

/** A curve as a formula with these numbers. */
function formulaOf(type: number, ...numbers: readonly number[]): Buffer {
  const data = Buffer.alloc(12 + 4 * numbers.length);
  data.write("para");
  data.writeUInt16BE(type, 8);
  for (const [at, number] of numbers.entries()) {
    data.writeInt32BE(Math.round(number * 65_536), 12 + 4 * at);
  }
  return data;
}

const SRGB_CURVE = tableOf(1024, (value) =>
  value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92,
);
const SRGB_FORMULA = formulaOf(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);

/** A profile with a description, the colors of red, green and blue, and one curve for all three. */
function profileOf(
  name: string,
  colors: readonly (readonly number[])[],
  curve = SRGB_CURVE,
): Buffer {
  const description = Buffer.concat([Buffer.from("desc\0\0\0\0"), Buffer.from(name)]);
  const points = colors.map((color) => {
    const data = Buffer.alloc(20);
    data.write("XYZ ");
    color.forEach((value, at) => {
      data.writeInt32BE(Math.round(value * 65_536), 8 + 4 * at);
    });
    return data;
  });
  const parts = [description, curve, curve, curve, ...points];
  const head = Buffer.alloc(132 + 12 * parts.length);
  head.write("RGB ", 16);
  head.writeUInt32BE(parts.length, 128);
  let from = head.length;
  for (const [at, part] of parts.entries()) {
    head.write(TAGS[at] ?? "", 132 + 12 * at);
    head.writeUInt32BE(from, 136 + 12 * at);
    head.writeUInt32BE(part.length, 140 + 12 * at);
    from += part.length;
  }
  return Buffer.concat([head, ...parts]);
}

const picture = async () =>
  new Uint8Array(await encodeWebp(20, 15, (x) => (x < 10 ? [250, 0, 0] : [0, 0, 250])));

test.each([
  ["sRGB", profileOf("sRGB IEC61966-2.1", SRGB)],
  ["a description in UTF-16", profileOf("\0s\0R\0G\0B", SRGB)],
  ["sRGB as a formula", profileOf("sRGB", SRGB, SRGB_FORMULA)],
])("drops a profile of %s, and keeps the picture", async (_name, profile) => {
  const bare = dropSrgbProfile(withProfile(await picture(), profile));
  expect(Buffer.from(bare).includes("ICCP")).toBe(false);
  const { width, height, at } = await decode(bare);
  expect([width, height]).toEqual([20, 15]);
  expect((await at(1, 1))[0]).toBeGreaterThan(200);
  const length = new DataView(bare.buffer, bare.byteOffset).getUint32(4, true);
  expect(length).toBe(bare.length - 8);
});

test.each([
  ["other colors", profileOf("Display P3", DISPLAY_P3)],
  ["other colors by the name of sRGB", profileOf("sRGB", DISPLAY_P3)],
  ["no colors", profileOf("sRGB", [])],
  ["no tags", Buffer.alloc(8)],
  ["linear light", profileOf("GIMP built-in Linear sRGB", SRGB, tableOf(0, Number))],
  ["linear light as a formula", profileOf("Linear sRGB", SRGB, formulaOf(0, 1))],
  [
    "a table of other light",
    profileOf(
      "sRGB",
      SRGB,
      tableOf(256, (value) => value ** 1.8),
    ),
  ],
  ["a curve that is cut off", profileOf("sRGB", SRGB, SRGB_CURVE.subarray(0, 100))],
])("keeps a profile with %s", async (_name, profile) => {
  const image = withProfile(await picture(), profile);
  expect(dropSrgbProfile(image)).toEqual(image);
});

test("keeps what is cut off or has no profile as it is", async () => {
  const bare = await picture();
  expect(dropSrgbProfile(bare)).toEqual(bare);
  const image = withProfile(bare, profileOf("sRGB", SRGB));
  for (let length = 0; length < 500 && length < image.length; length += 1) {
    const cut = image.slice(0, length);
    expect(dropSrgbProfile(cut).length).toBeLessThanOrEqual(length);
  }
});
