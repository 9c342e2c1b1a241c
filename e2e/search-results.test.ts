import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const show = async (folder: string, files: readonly string[]): Promise<Page> =>
  (await showFolder(fixture, folder, files)).page;

test("searches names in all folders and shows where they are", async () => {
  await fixture.seed.file("find/deep/Übersicht 2026.pdf");
  const page = await show("find", ["other.txt"]);
  await page.keyboard.press("/");
  await page.keyboard.type("übersicht");
  const found = row(page, "Übersicht 2026.pdf");
  await found.getByText("find/deep").waitFor();
  await page.waitForURL("**q=%C3%BCbersicht**");
  await page.getByRole("searchbox").fill("no such name");
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("searchbox").fill("");
  await row(page, "other.txt").waitFor();
});

test("search results stay correct after renames, moves, deletions and renamed parent folders", async () => {
  const named = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      content: new Blob(["x"]),
      name: `trove-${String(from + at).padStart(3, "0")}.txt`,
    }));
  const { holdall } = fixture.seed;
  for (let at = 0; at < 700; at += 100) {
    await holdall.files.uploadMany(named(at, at + 100), { folder: at < 600 ? "chest" : "chest/x" });
  }
  const page = await show("chest", []);
  await page.goto("/files/chest?q=trove-");
  await row(page, "trove-000.txt").waitFor();
  await page.getByRole("grid").focus();
  await page.getByText("700 results", { exact: true }).waitFor();
  for (let rounds = 0; rounds < 200; rounds += 1) {
    await page.keyboard.press("End");
    if ((await row(page, "trove-699.txt").count()) > 0) break;
    await page.waitForResponse("**/api/search?*", { timeout: 500 }).catch(() => undefined);
  }
  await row(page, "trove-699.txt").waitFor();

  await page.keyboard.press("End");
  await page.keyboard.press("F2");
  await page.keyboard.type("other");
  await page.keyboard.press("Enter");
  await row(page, "trove-699.txt").waitFor({ state: "detached" });
  await page.getByText("699 results", { exact: true }).waitFor();
  expect(await row(page, "other.txt").count()).toBe(0);

  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Delete");
  await page.getByText("698 results", { exact: true }).waitFor();

  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: "chest", exact: true }).click();
  await button(page, "Move here").click();
  await page.getByText("Moved 1 item to “chest”.").first().waitFor();
  // Still in view: the list has not scrolled.
  await row(page, "trove-697.txt").getByText("chest", { exact: true }).waitFor();
  await row(page, "trove-696.txt").getByText("chest/x", { exact: true }).waitFor();
  await page.getByText("698 results", { exact: true }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  const { folder } = await holdall.folders.browse({ key: "chest/x" }, { limit: 0 });
  await holdall.folders.rename(folder.id, "y");
  await page.keyboard.press("F2");
  await page.keyboard.type("trove-zzz");
  await page.keyboard.press("Enter");
  await row(page, "trove-zzz.txt").getByText("chest/y", { exact: true }).waitFor();
  await row(page, "trove-695.txt").getByText("chest/y", { exact: true }).waitFor();
});
