import { expect, test } from "bun:test";
import { withVariables } from "./describe-variables.ts";

test("docs/configuration.md has the current table: `npm run generate` updates it", async () => {
  const page = await Bun.file(new URL("../../docs/configuration.md", import.meta.url)).text();
  expect(page).toBe(withVariables(page));
});
