import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readS3Query } from "./s3-query.ts";

describe("the query of an S3 request", () => {
  test("has decoded values, empty ones without `=`", () => {
    const query = readS3Query("list-type=2&prefix=a%2Fb+c&uploads&empty=");
    expect(query.get("list-type")).toBe("2");
    expect(query.get("prefix")).toBe("a/b c");
    expect([query.has("uploads"), query.get("uploads"), query.get("empty")]).toEqual([
      true,
      "",
      "",
    ]);
    expect([query.has("delete"), query.get("delete")]).toEqual([false, undefined]);
  });

  test("has numbers up to a limit", () => {
    expect(readS3Query("max-keys=5000").number("max-keys", 1000)).toBe(1000);
    expect(readS3Query("max-keys=0").number("max-keys", 1000)).toBe(0);
    expect(readS3Query("max-keys=").number("max-keys", 1000)).toBeUndefined();
    for (const text of ["-1", "1.5", "x", "99999999999"]) {
      expect(() => readS3Query(`max-keys=${text}`).number("max-keys", 1000)).toThrow("max-keys");
    }
  });

  test.each(["a=1&a=2", "a=%ff", "%zz=1"])("%p is refused", (text) => {
    expect(() => readS3Query(text)).toThrow(expect.objectContaining({ s3Code: "InvalidArgument" }));
  });

  test("gives back what was encoded", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (fields) => {
        const pairs = Object.entries(fields).map(
          ([name, value]) =>
            `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
        );
        const query = readS3Query(pairs.join("&"));
        for (const [name, value] of Object.entries(fields)) {
          expect(query.get(name.toWellFormed())).toBe(value.toWellFormed());
        }
      }),
    );
  });
});
