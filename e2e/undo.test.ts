import { afterEach, beforeAll, expect, test } from "bun:test";
import { Holdall } from "../sdk/src/holdall.ts";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { waitForActivity } from "./wait-for-activity.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  await fixture.seed.holdall.settings.change({ trashDeletions: true });
});
afterEach(closeVisits);

test("the activity of a key is undone after a look at what that would be", async () => {
  const { holdall } = fixture.seed;
  for (const name of ["a", "b", "<i>c"]) await fixture.seed.file(`undone/${name}.txt`);
  const { key, secret } = await holdall.keys.create("agent of the undo");
  const agent = new Holdall({ url: fixture.server.url, apiKey: secret });
  await agent.files.delete([{ key: "undone/a.txt" }, { key: "undone/<i>c.txt" }]);
  const { id } = await agent.files.getByKey("undone/b.txt");
  await agent.files.rename(id, "renamed.txt");
  await waitForActivity(holdall, ({ actor }) => actor.id === key.id);

  const { page, consoleErrors } = await fixture.signedIn({
    reducedMotion: true,
    expectedStatuses: [404],
  });
  await page.goto(`/activity?actor=${key.id}`);
  await page.getByRole("button", { name: "Undo…" }).click();
  const dialog = page.getByRole("dialog", {
    name: "Undo everything that Key agent of the undo did",
  });
  await dialog.waitFor();
  await dialog.getByLabel("In folder").fill("undone-not");
  await dialog.getByRole("button", { name: "Show what would be undone" }).click();
  await dialog.getByText(/not found|does not exist|No such/i).waitFor();

  await dialog.getByLabel("In folder").fill("undone");
  await dialog.getByRole("button", { name: "Show what would be undone" }).click();
  await dialog.getByText("Nothing has been changed yet.").waitFor();
  const rows = dialog.getByRole("listitem");
  expect((await rows.allTextContents()).toSorted()).toEqual([
    "Move back undone/renamed.txt to undone/b.txt",
    "Restore undone/<i>c.txt",
    "Restore undone/a.txt",
  ]);
  expect(await axeViolations(page)).toEqual([]);
  await holdall.files.getByKey("undone/renamed.txt");

  await dialog.getByRole("button", { name: "Undo 3 changes" }).click();
  await page.getByText("Undid 3 changes.").first().waitFor();
  await dialog.waitFor({ state: "detached" });
  for (const name of ["a", "b", "<i>c"]) await holdall.files.getByKey(`undone/${name}.txt`);

  await page.keyboard.press("Control+z");
  await eventually("the undo is taken back", async () => {
    const files = await Array.fromAsync(holdall.files.list("undone"));
    return files.map(({ name }) => name).join() === "renamed.txt";
  });
  // Only its answer can be taken back.
  await page.getByText("Undid 3 changes.").first().waitFor();
  await page.keyboard.press("Control+z");
  await eventually("and what took it back, too", async () => {
    const files = await Array.fromAsync(holdall.files.list("undone"));
    return files.length === 3;
  });

  await page.getByRole("button", { name: "Undo…" }).click();
  await page.getByRole("button", { name: "Show what would be undone" }).click();
  await page.getByText("There is nothing to undo.").waitFor();
  expect(await page.getByRole("button", { name: "Undo 0 changes" }).isDisabled()).toBe(true);
  expect(consoleErrors).toEqual([]);
});
