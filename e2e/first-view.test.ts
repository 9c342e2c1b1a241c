import { afterEach, expect, test } from "bun:test";
import { closeVisits } from "./browser.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { transferredBytes } from "./transferred-bytes.ts";

afterEach(closeVisits);

test("the first view of the files transfers at most 200 KB, headers included", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("first-view.txt");
  const { context } = await fixture.signedIn();
  // A context of its own has an empty cache.
  const first = await fixture.anonymous();
  await first.context.addCookies(await context.cookies());
  await first.page.goto("/files");
  await row(first.page, "first-view.txt").waitFor();
  await first.page.waitForLoadState("networkidle");
  expect(await transferredBytes(first.page)).toBeWithin(100_000, 200_001);
  expect(first.consoleErrors).toEqual([]);
});
