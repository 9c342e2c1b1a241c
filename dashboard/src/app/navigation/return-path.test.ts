import { expect, test } from "bun:test";
import fc from "fast-check";
import { returnPath, signInPath } from "./return-path.ts";

test("returns to the original path after signing in", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), (names) => {
      const path = `/files${names.map((name) => `/${encodeURIComponent(name.toWellFormed())}`).join("")}`;
      expect(returnPath(signInPath(path).replace("/sign-in", ""))).toBe(path);
    }),
  );
});

test("never redirects to another site", () => {
  for (const to of [
    ..."\t\n\r".split("").map((dropped) => `/${dropped}/evil.example`),
    ...["//evil.example", "/\\evil.example", "https://evil.example", "\\\\evil", ""],
  ]) {
    expect(returnPath(`?to=${encodeURIComponent(to)}`)).toBe("/files");
  }
  fc.assert(
    fc.property(fc.string(), (to) => {
      const path = returnPath(`?to=${encodeURIComponent(to)}`);
      expect(new URL(path, "http://here.example").host).toBe("here.example");
    }),
  );
});
