import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";
import { chooseForSelection, failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const show = async (folder: string, files: readonly string[]): Promise<Page> =>
  (await showFolder(fixture, folder, files)).page;

test("moves many files in one request, and asks about those whose names are taken", async () => {
  const names = Array.from({ length: 120 }, (_, at) => `${at}.txt`);
  const page = await show("together", [...names, "into/7.txt"]);
  const sizes: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sizes.push(request.postDataJSON().ids.length);
  });
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("checkbox", { name: "Select into", exact: true }).click();
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: "into", exact: true }).click();
  await button(page, "Move here").click();
  await page.getByRole("dialog").getByText("“7.txt” already exists in “into”.").waitFor();
  await button(page, "Cancel").click();
  await page.getByText("Moved 119 items to “into”.").first().waitFor();
  await row(page, "7.txt").waitFor();
  await row(page, "8.txt").waitFor({ state: "detached" });
  expect(sizes).toEqual([120]);
});

test("duplicates and copies by keyboard, under free names, and undoes it", async () => {
  const page = await show("copies", ["a.txt", "b.txt", "sub/c.txt"]);
  await row(page, "a.txt").click();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Duplicate" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Duplicated “a.txt”.").first().waitFor();
  await expectNames(page, ["sub", "a (2).txt", "a.txt", "b.txt"]);

  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await button(page, "More for the selection").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Copy to…" }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("treeitem", { name: "sub" }).click();
  await dialog.getByText("To “copies/sub”").waitFor();
  await button(page, "Copy here").click();
  await page.getByText("Copied 4 items to “sub”.").first().waitFor();
  await row(page, "sub").dblclick();
  await row(page, "c.txt").waitFor();
  await expectNames(page, ["sub", "a (2).txt", "a.txt", "b.txt", "c.txt"]);
  await page.keyboard.press("Control+z");
  await page.getByText("Moved the copies to the trash.").first().waitFor();
  await row(page, "a.txt").waitFor({ state: "detached" });
  await expectNames(page, ["c.txt"]);
});

test("a copy that fails partly says what was copied", async () => {
  await fixture.seed.file("partly/a/x.txt");
  await fixture.seed.file("partly/b.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await page.goto("/files/partly");
  await failWith500("**/api/folders/copy")(page);
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await chooseForSelection("Copy to…")(page);
  await page.getByRole("dialog").getByRole("treeitem", { name: "a", exact: true }).click();
  await button(page, "Copy here").click();
  await page.getByText("Copied 1 item to “a”.").first().waitFor();
});

test("a bulk move waits on 429, says so, and can be stopped", async () => {
  const page = await show("long", [
    "into/x.txt",
    // Files would need one request together.
    ...Array.from({ length: 12 }, (_, at) => `${at}/x.txt`),
  ]);
  let requests = 0;
  const refusal = { data: null, error: { message: "Too many requests" } };
  await page.route("**/api/folders", async (route) => {
    requests += 1;
    if (requests !== 6 && requests < 10) return route.continue();
    const seconds = requests < 10 ? "1" : "60";
    await route.fulfill({ status: 429, headers: { "Retry-After": seconds }, json: refusal });
  });
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("checkbox", { name: "Select into", exact: true }).click();
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: "into", exact: true }).click();
  await button(page, "Move here").click();
  const progress = page.getByRole("region", { name: "Operations" });
  await progress.getByText("8 of 12").waitFor();
  await progress.getByText(/Too many requests right now. Continuing in \d+ s\./).waitFor();
  await progress.getByRole("button", { name: "Stop: Moving 12 items to “into”" }).click();
  await progress.getByText("Moved 8 items to “into”.").waitFor();
  await progress.getByText("Stopped after 8 of 12.").waitFor();
  await eventually(
    "five entries are left",
    async () => (await page.getByRole("grid").getByRole("link").count()) === 5,
  );
  // The refusal appears as a pause, never as a failure.
  expect(await page.getByText(/Too many requests(?! right now)/).count()).toBe(0);
});

test("asks before it moves a folder with many files to the trash", async () => {
  await fixture.seed.many("count/inside", 101);
  const page = await show("count", ["a.txt"]);
  await page.getByRole("checkbox", { name: "Select inside" }).click();
  await button(page, "Delete").click();
  await page.getByRole("heading", { name: "Move “inside” to the trash?" }).waitFor();
  await page.getByText(/^This moves 101 files \(/).waitFor();
  await button(page, "Cancel").click();
  await row(page, "inside").waitFor();
  await button(page, "Delete").click();
  await button(page, "Move to trash").click();
  await page.getByText("Moved “inside” to the trash.").first().waitFor();
  await row(page, "inside").waitFor({ state: "detached" });
});
