import { expect, test } from "bun:test";
import { hasEnd, reachesEnd } from "./is-cut-off.ts";

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

const SEGMENT = `\xff\xe1\x00\x60${THUMBNAIL.padEnd(94, "\0")}`;
const TABLE = "\xff\xdb\x00\x04qt";
const PIXELS = "\xff\xda\x00\x04shpixels\xff\x00more\xff\xd0pixels";
const JPEG = `\xff\xd8${SEGMENT}${TABLE}${PIXELS}${TABLE}${PIXELS}`;
const MORE = "\xff\xda a video ".repeat(20_000);

test.each([
  ["complete", `${JPEG}${EOI}`, true],
  ["complete, with filling bytes before its end", `${JPEG}\xff${EOI}`, true],
  ["with more than 64 KB after its end", `${JPEG}${EOI}${MORE}`, true],
  ["cut off", JPEG, false],
  ["cut off after its thumbnail", `\xff\xd8${SEGMENT}`, false],
  ["cut off in a segment", JPEG.slice(0, 20), false],
  ["empty", "", false],
])("the structure of a JPEG that is %s", async (_, picture, expected) => {
  expect(await reachesEnd("image/jpeg", streamOf(picture))).toBe(expected);
});

const PNG = "\x89PNG\r\n\x1a\n\x00\x00\x00\x04IDATIENDcrc!";
const IEND = "\x00\x00\x00\x00IEND\xae\x42\x60\x82";

test.each([
  ["complete", `${PNG}${IEND}`, true],
  ["with more than 64 KB after its end", `${PNG}${IEND}${MORE}`, true],
  ["cut off", PNG, false],
  ["cut off in the checksum of its end", `${PNG}${IEND.slice(0, -1)}`, false],
])("the structure of a PNG that is %s", async (_, picture, expected) => {
  expect(await reachesEnd("image/png", streamOf(picture))).toBe(expected);
});

/** Chunks of seven bytes, so that markers and lengths are split. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(bytesOf(text));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 7));
      at += 7;
    },
  });
}
