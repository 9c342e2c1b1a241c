import { expect, test } from "bun:test";
import { hasEnd } from "./is-cut-off.ts";

const bytesOf = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, "latin1")).buffer;

const START = "\xff\xd8\xff\xe0header";
const SCAN = "\xff\xdapixels\xff\x00more\xff\xd0pixels";
const EOI = "\xff\xd9";
const THUMBNAIL = `${START}${SCAN}${EOI}`;

test.each([
  ["complete", `${START}${SCAN}${EOI}`, true],
  ["with data after its end", `${START}${SCAN}${EOI}a video of some kind`, true],
  ["with another picture after its end", `${START}${SCAN}${EOI}${THUMBNAIL}`, true],
  ["of which only the end was read", `pixels${EOI}trailer`, true],
  ["cut off", `${START}${SCAN}`, false],
  ["cut off after a complete thumbnail", `${START}${THUMBNAIL}${SCAN}`, false],
  ["cut off in a later scan", `${START}${SCAN}\xff\xdapix`, false],
  ["of which only pixels were read", "pixels\xff\x00pixels", false],
])("a JPEG that is %s", (_, picture, expected) => {
  expect(hasEnd("image/jpeg", bytesOf(picture))).toBe(expected);
});

test("a PNG ends with its `IEND`, after which there may be data", () => {
  const end = "IEND\xae\x42\x60\x82";
  expect(hasEnd("image/png", bytesOf(`pixels${end}`))).toBe(true);
  expect(hasEnd("image/png", bytesOf(`pixels${end}more`))).toBe(true);
  expect(hasEnd("image/png", bytesOf("pixels\x00\x00\x00\x00IEND"))).toBe(false);
});
