import { expect, test } from "bun:test";
import fc from "fast-check";
import { readExif } from "./read-exif.ts";

type Field = readonly [
  tag: number,
  value: string | readonly number[] | readonly (readonly [number, number])[],
];

/** A TIFF directory with its values behind it. Numbers are LONG, pairs RATIONAL. */
function directory(fields: readonly Field[], start: number, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(4096);
  const view = new DataView(bytes.buffer);
  let free = start + 2 + 12 * fields.length + 4;
  view.setUint16(0, fields.length, isLittle);
  fields.forEach(([tag, value], index) => {
    const at = 2 + 12 * index;
    const data =
      typeof value === "string"
        ? [...new TextEncoder().encode(`${value}\0`)].map((code) => [code, 1] as const)
        : value.flatMap((each): (readonly [number, number])[] =>
            typeof each === "number"
              ? [[each, 4]]
              : [
                  [each[0], 4],
                  [each[1], 4],
                ],
          );
    const type = typeof value === "string" ? 2 : typeof value[0] === "number" ? 4 : 5;
    const length = data.reduce((sum, [, size]) => sum + size, 0);
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setUint32(at + 4, typeof value === "string" ? data.length : value.length, isLittle);
    let place = at + 8;
    if (length > 4) {
      view.setUint32(at + 8, free, isLittle);
      place = free - start;
      free += length;
    }
    for (const [number, size] of data) {
      if (size === 1) view.setUint8(place, number);
      else view.setUint32(place, number, isLittle);
      place += size;
    }
  });
  return bytes.subarray(0, free - start);
}

function jpeg(isLittle: boolean): Uint8Array {
  const camera: Field[] = [
    [0x010f, "Canon"],
    [0x0110, "Canon EOS R5"],
  ];
  const photo = directory(
    [
      [0x829a, [[1, 250]]],
      [0x829d, [[28, 10]]],
      [0x8827, [400]],
      [0x9003, "2026:07:01 18:30:00"],
      [0x920a, [[50, 1]]],
    ],
    1000,
    isLittle,
  );
  const gps = directory(
    [
      [0x0001, "S"],
      [
        0x0002,
        [
          [33, 1],
          [51, 1],
          [36, 1],
        ],
      ],
      [0x0003, "E"],
      [
        0x0004,
        [
          [151, 1],
          [12, 1],
          [0, 1],
        ],
      ],
    ],
    2000,
    isLittle,
  );
  const tiff = new Uint8Array(3000);
  const view = new DataView(tiff.buffer);
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  tiff.set(directory([...camera, [0x8769, [1000]], [0x8825, [2000]]], 8, isLittle), 8);
  tiff.set(photo, 1000);
  tiff.set(gps, 2000);
  const head = new Uint8Array([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xe1, 0, 0, 69, 120, 105, 102, 0, 0,
  ]);
  new DataView(head.buffer).setUint16(10, tiff.length + 8);
  return new Uint8Array([...head, ...tiff, 0xff, 0xda]);
}

test.each([true, false])("reads camera, exposure and place, little-endian: %p", (isLittle) => {
  expect(readExif(jpeg(isLittle))).toEqual({
    camera: "Canon EOS R5",
    takenAt: "2026:07:01 18:30:00",
    exposure: 1 / 250,
    aperture: 2.8,
    iso: 400,
    focalLength: 50,
    latitude: -(33 + 51 / 60 + 36 / 3600),
    longitude: 151.2,
  });
});

test("images without EXIF data, and other files, have none", () => {
  expect(readExif(new Uint8Array())).toBeUndefined();
  expect(readExif(new TextEncoder().encode("a text that is no photo"))).toBeUndefined();
  expect(readExif(Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0, 0, 0, 0]))).toBeUndefined();
});

test("damaged data never throws", () => {
  const whole = jpeg(true);
  const at = fc.nat(whole.length - 1);
  fc.assert(
    fc.property(fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 30 }), at, (flips, end) => {
      const bytes = whole.slice();
      for (const [place, value] of flips) bytes[place] = value;
      readExif(bytes);
      readExif(bytes.subarray(0, end));
    }),
  );
});
