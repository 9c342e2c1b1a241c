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

/** A profile with a description and the colors of red, green and blue. */
function profileOf(name: string, colors: readonly (readonly number[])[]): Buffer {
  const description = Buffer.concat([Buffer.from("desc\0\0\0\0"), Buffer.from(name)]);
  const points = colors.map((color) => {
    const data = Buffer.alloc(20);
    data.write("XYZ ");
    color.forEach((value, at) => {
      data.writeInt32BE(Math.round(value * 65_536), 8 + 4 * at);
    });
    return data;
  });
  const parts = [description, ...points];
  const head = Buffer.alloc(132 + 12 * parts.length);
  head.write("RGB ", 16);
  head.writeUInt32BE(parts.length, 128);
  let from = head.length;
  for (const [at, part] of parts.entries()) {
    head.write(["desc", "rXYZ", "gXYZ", "bXYZ"][at] ?? "", 132 + 12 * at);
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
