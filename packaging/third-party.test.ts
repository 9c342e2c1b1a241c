import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { thirdPartyText } from "./third-party.ts";

test("THIRD-PARTY.md lists what is shipped; `npm run generate` writes it", async () => {
  const text = await thirdPartyText();
  expect(text).toContain("| react |");
  expect(text).toContain("| pg |");
  expect(readFileSync(join(root, "THIRD-PARTY.md"), "utf8")).toBe(text);
});
