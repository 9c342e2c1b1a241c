import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { checkPolicy } from "./form-credentials.ts";
import { type PostPolicy, parsePolicy } from "./post-policy.ts";

const EXPIRATION = "2030-12-30T12:00:00.000Z";
const encode = (document: unknown): string =>
  Buffer.from(JSON.stringify(document)).toString("base64");
const policyOf = (...conditions: unknown[]): PostPolicy =>
  parsePolicy(encode({ expiration: EXPIRATION, conditions }));

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof S3Fault ? error.s3Code : String(error);
  }
  return undefined;
}

describe("a policy", () => {
  test("has an expiration, conditions and a size", () => {
    expect(
      policyOf(
        { bUcKet: "photos" },
        ["StArTs-WiTh", "$KeY", "a"],
        ["eq", "$acl", "private"],
        ["content-length-range", 1, "1024"],
        ["content-length-range", 0, 512],
      ),
    ).toEqual({
      expiration: Date.UTC(2030, 11, 30, 12),
      conditions: [
        { kind: "eq", field: "bucket", value: "photos" },
        { kind: "starts-with", field: "key", value: "a" },
        { kind: "eq", field: "acl", value: "private" },
      ],
      size: { min: 1, max: 512 },
    });
  });

  test.each([
    [{ conditions: [] }],
    [{ EXPIRATION, conditions: [] }],
    [{ expiration: "tomorrow", conditions: [] }],
    [{ expiration: 1, conditions: [] }],
    [{ expiration: EXPIRATION }],
    [{ expiration: EXPIRATION, CONDITIONS: [] }],
    [{ expiration: EXPIRATION, conditions: [{}] }],
    [{ expiration: EXPIRATION, conditions: [{ a: 1 }] }],
    [{ expiration: EXPIRATION, conditions: ["eq"] }],
    [{ expiration: EXPIRATION, conditions: [["in", "$a", "b"]] }],
    [{ expiration: EXPIRATION, conditions: [["eq", "a", "b"]] }],
    [{ expiration: EXPIRATION, conditions: [["eq", "$a", "b", "c"]] }],
    [{ expiration: EXPIRATION, conditions: [["content-length-range", 1]] }],
    [{ expiration: EXPIRATION, conditions: [["content-length-range", -1, 5]] }],
    [{ expiration: EXPIRATION, conditions: [["content-length-range", 5, 1]] }],
    [[]],
    [null],
    ["text"],
  ])("%j is refused", (document) => {
    expect(codeOf(() => parsePolicy(encode(document)))).toBe("InvalidPolicyDocument");
  });

  test.each(["", "%", btoa("{"), Buffer.from([0xff]).toString("base64"), "A".repeat(20_481)])(
    "%# that is no JSON in base64 is refused",
    (text) => {
      expect(codeOf(() => parsePolicy(text))).toBe("InvalidPolicyDocument");
    },
  );

  test("is read or refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(btoaUtf8), document()), (text) => {
        expect([undefined, "InvalidPolicyDocument"]).toContain(codeOf(() => parsePolicy(text)));
      }),
    );
  });
});

describe("the fields of a form", () => {
  const check = (policy: PostPolicy, fields: Record<string, string>): string | undefined =>
    codeOf(() => checkPolicy(policy, new Map(Object.entries(fields))));

  test("must meet every condition", () => {
    const policy = policyOf(
      { bucket: "b" },
      ["starts-with", "$key", "a/"],
      ["starts-with", "$x", ""],
    );
    expect(check(policy, { bucket: "b", key: "a/b" })).toBeUndefined();
    expect(check(policy, { bucket: "b", key: "a/b", x: "any" })).toBeUndefined();
    expect(check(policy, { bucket: "c", key: "a/b" })).toBe("AccessDenied");
    expect(check(policy, { bucket: "b", key: "b/a" })).toBe("AccessDenied");
    expect(check(policy, { bucket: "b" })).toBe("AccessDenied");
    expect(check(policy, { key: "a/b" })).toBe("AccessDenied");
  });

  test("must be in the policy, except a few", () => {
    const policy = policyOf({ bucket: "b" });
    const uncovered = { bucket: "b", policy: "p", "x-amz-signature": "s", "x-ignore-me": "i" };
    expect(check(policy, uncovered)).toBeUndefined();
    expect(check(policy, { bucket: "b", acl: "public-read" })).toBe("AccessDenied");
  });

  test("may have a list of content types, all of which must match", () => {
    const policy = policyOf(["starts-with", "$Content-Type", "image/"]);
    expect(check(policy, { "content-type": "image/png,image/jpeg" })).toBeUndefined();
    expect(check(policy, { "content-type": "image/png,text/html" })).toBe("AccessDenied");
  });
});

const btoaUtf8 = (text: string): string => Buffer.from(text).toString("base64");

/** Documents that are almost policies. */
function document(): fc.Arbitrary<string> {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  const condition = fc.oneof(
    fc.dictionary(fc.string(), value),
    fc.tuple(
      fc.constantFrom("eq", "starts-with", "content-length-range", "EQ"),
      fc.oneof(value, fc.constant("$key")),
      value,
    ),
    value,
  );
  return fc
    .record({
      expiration: fc.oneof(fc.constant(EXPIRATION), value),
      conditions: fc.oneof(fc.array(condition), value),
    })
    .map((each) => btoaUtf8(JSON.stringify(each)));
}
