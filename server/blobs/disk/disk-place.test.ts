import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathOfPlace, placeOfEntry } from "./disk-place.ts";

const anyName = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .filter((bytes) => !bytes.includes(0) && !bytes.includes(0x2f));

test("the place of any file name maps back to its path", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const expected = Buffer.concat([Buffer.from("/root/00000000001/"), name]);
      const place = placeOfEntry("00000000001", name);
      expect(place.isWellFormed()).toBe(true);
      expect(pathOfPlace("/root", place).equals(expected)).toBe(true);
    }),
  );
});

test("a UTF-8 name stays readable", () => {
  expect(placeOfEntry("", Buffer.from("Köln 100%.txt"))).toBe("Köln 100%25.txt");
  expect(placeOfEntry("a", Buffer.from([0x62, 0xff]))).toBe("a/b%FF");
});
