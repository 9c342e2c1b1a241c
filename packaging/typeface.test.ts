import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { TYPEFACE, typeface } from "./typeface.ts";

test("the typeface is a part of Inter; `npm run generate` writes it", async () => {
  expect(readFileSync(join(root, TYPEFACE)).equals(await typeface())).toBe(true);
});
