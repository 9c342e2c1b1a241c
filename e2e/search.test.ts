import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

async function show(path: string): Promise<Page> {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto(`/files/${path}`);
  await page.getByRole("grid").waitFor();
  return page;
}

const heading = (page: Page) => page.getByRole("heading", { level: 1, name: "Search results" });
const filter = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test("results have a heading, an order and a total", async () => {
  await fixture.seed.file("ranked/sum 10.txt", "22");
  await fixture.seed.file("ranked/Sum 2.txt", "333");
  await fixture.seed.file("ranked/deep/sum 3.txt", "1");
  const page = await show("ranked?sort=name&dir=asc&view=list");
  await page.getByRole("searchbox").fill("sum ");
  await heading(page).waitFor();
  await page.getByText("in all folders").waitFor();
  await expectNames(page, ["Sum 2.txt", "sum 3.txt", "sum 10.txt"]);
  await page.getByRole("button", { name: "Sort descending" }).click();
  await expectNames(page, ["sum 10.txt", "sum 3.txt", "Sum 2.txt"]);
  await page.getByLabel("Sort by").selectOption("Size");
  await expectNames(page, ["Sum 2.txt", "sum 10.txt", "sum 3.txt"]);
  await page.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
  await expectNames(page, ["sum 3.txt", "sum 10.txt", "Sum 2.txt"]);
  await page.getByRole("status").filter({ hasText: "3 results" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("heading", { level: 1, name: "ranked" }).waitFor();
});

test("the total is known before all pages are loaded", async () => {
  await fixture.seed.many("counted", 450);
  const page = await show("counted?q=note-*.txt");
  await page.getByRole("status").filter({ hasText: "450 results" }).waitFor();
  await page.getByText("note-00001.txt").waitFor();
});

test("a search in a folder that does not exist says so", async () => {
  const { page } = await fixture.signedIn({ expectedStatuses: [404] });
  for (const search of ["type=image/*", "q=note"]) {
    await page.goto(`/files/deleted-folder?${search}&in=folder`);
    await page.getByText("Folder not found").waitFor();
  }
  await page.getByLabel("Search in").selectOption("All folders");
  await page.getByText("Folder not found").waitFor({ state: "detached" });
});

test("a folder is filtered without a text, and so is everywhere else", async () => {
  await fixture.seed.file("kinds/page.pdf");
  await fixture.seed.file("kinds/deep/other.pdf", "x", "private");
  await fixture.seed.file("kinds/notes.txt");
  await fixture.seed.file("elsewhere/third.pdf");
  const page = await show("kinds?sort=name&dir=asc&view=list");
  expect(await page.getByRole("group", { name: "Search filters" }).count()).toBe(0);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await filter(page, "Type").selectOption("PDF");
  await page.getByText("in “kinds” and below").waitFor();
  await expectNames(page, ["other.pdf", "page.pdf"]);
  await filter(page, "Visibility").selectOption("Private");
  await expectNames(page, ["other.pdf"]);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toMatchObject({
    type: "application/pdf",
    visibility: "private",
    in: "folder",
  });
  expect(await axeViolations(page)).toEqual([]);

  await page.reload();
  await expectNames(page, ["other.pdf"]);
  await filter(page, "Visibility").selectOption("Public and private");
  await filter(page, "Search in").selectOption("All folders");
  await row(page, "third.pdf").waitFor();
  await filter(page, "Search in").selectOption("In “kinds”");
  await row(page, "third.pdf").waitFor({ state: "detached" });
  await filter(page, "Size").selectOption("100 MB and more");
  await page.getByText("No file in “kinds” matches the filters.").waitFor();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expectNames(page, ["deep", "notes.txt", "page.pdf"]);
});
