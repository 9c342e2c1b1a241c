import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathOfPlace, placeNamed } from "./disk-place.ts";

const anyName = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .filter((bytes) => !bytes.includes(0) && !bytes.includes(0x2f));

test("every name on a disk has a place that leads back to it", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const expected = Buffer.concat([Buffer.from("/root/00000000001/"), name]);
      const place = placeNamed("00000000001", name);
      expect(place.isWellFormed()).toBe(true);
      expect(pathOfPlace("/root", place).equals(expected)).toBe(true);
    }),
  );
});

test("a name in UTF-8 stays readable", () => {
  expect(placeNamed("", Buffer.from("Köln 100%.txt"))).toBe("Köln 100%25.txt");
  expect(placeNamed("a", Buffer.from([0x62, 0xff]))).toBe("a/b%FF");
});
