import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "./faults/fault.ts";
import { parseVisibility } from "./visibility.ts";

test.each(["public", "private"] as const)("accepts %s", (text) => {
  expect(parseVisibility(text)).toBe(text);
});

function refusal(text: string): unknown {
  try {
    return parseVisibility(text);
  } catch (error) {
    return error;
  }
}

test.each(["", "Public", "PRIVATE", " public", "public\n", "publicprivate", "toString"])(
  "rejects %j",
  (text) => {
    expect(refusal(text)).toEqual(
      new Fault("invalid", "`visibility` must be `public` or `private`."),
    );
  },
);

test("rejects any other text", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(text !== "public" && text !== "private");
      expect(refusal(text)).toBeInstanceOf(Fault);
    }),
  );
});
