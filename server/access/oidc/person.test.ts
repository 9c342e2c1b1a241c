import { describe, expect, test } from "bun:test";
import { parseAdmissionRule } from "./oidc-settings.ts";
import { isNamed, personOf } from "./person.ts";

const person = (claims: Record<string, unknown>) =>
  personOf("https://id.example.com", "7", claims, { groupsClaim: "groups" });

describe("the groups of a person", () => {
  test.each([
    [
      ["a", "b", "a"],
      ["a", "b"],
    ],
    ["a", ["a"]],
    [["a", 1, null, ["b"], { c: true }, "", "x".repeat(257)], ["a"]],
    [["a", "b\0", "c\ud800", "\n"], ["a"]],
    [undefined, []],
    [null, []],
    [7, []],
    [{ a: true }, []],
  ])("%j", (groups, expected) => {
    expect(person({ groups }).groups).toEqual(expected);
  });

  test("are at most a thousand", () => {
    const many = Array.from({ length: 5000 }, (_, index) => `group-${index}`);
    expect(person({ groups: many }).groups).toHaveLength(1000);
  });
});

describe("the address of a person", () => {
  test.each([
    ["Ada@Example.COM", "ada@example.com"],
    ["ada", undefined],
    ["ada@", undefined],
    ["ada @example.com", undefined],
    ["ada@example.com@evil.com", undefined],
    [`${"a".repeat(250)}@b.com`, undefined],
    ["ada\0@example.com", undefined],
    ["ada\ud800@example.com", undefined],
    [["ada@example.com"], undefined],
    [undefined, undefined],
  ])("%j", (email, expected) => {
    expect(person({ email }).email).toBe(expected);
  });
});

describe("a rule", () => {
  const ada = person({
    email: "ada@example.com",
    email_verified: true,
    groups: ["staff", "sub:x", "8"],
  });
  test.each([
    ["7", true],
    ["sub:7", true],
    ["group:7", false],
    ["staff", true],
    ["group:staff", true],
    ["sub:staff", false],
    ["sub:8", false],
    ["STAFF", false],
    ["@example.com", true],
    ["@Example.Com", true],
    ["@ample.com", false],
    ["@com", false],
    ["ada@example.com", false],
    ["group:sub:x", true],
    ["https://id.example.com", false],
  ])("%s names the person: %p", (text, expected) => {
    const rule = parseAdmissionRule(text);
    expect(rule !== undefined && isNamed(ada, [rule])).toBe(expected);
  });

  test.each(["", "@", "@a@b"])("cannot be %j", (text) => {
    expect(parseAdmissionRule(text)).toBe(undefined);
  });
});
