import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Device } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { chooseForSelection } from "./steps.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const box = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const names = (page: Page) => page.getByRole("grid").getByRole("link").allTextContents();

async function show(
  folder: string,
  files: readonly string[],
  options: { device?: Device; width?: number; height?: number } = {},
): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true, ...options });
  await page.goto(`/files/${folder}?sort=name&dir=asc&view=list`);
  await page.getByRole("grid").waitFor();
  return page;
}

describe("the order of names", () => {
  test("is natural and ignores case, for files and folders, in the list and the tree", async () => {
    const page = await show("sorted", [
      ...["README.md", "file10", "customers.csv", "file2", "Annual.pdf"],
      ...["Trip/x", "level 10/x", "Clients/x", "level 2/x"],
    ]);
    const folders = ["Clients", "level 2", "level 10", "Trip"];
    const files = ["Annual.pdf", "customers.csv", "file2", "file10", "README.md"];
    await row(page, "README.md").waitFor();
    expect(await names(page)).toEqual([...folders, ...files]);
    const tree = page.getByRole("complementary", { name: "Folders" });
    await tree.getByRole("treeitem", { name: "level 10", exact: true }).waitFor();
    const inTree = await tree.getByRole("treeitem").allTextContents();
    expect(inTree.filter((name) => folders.includes(name))).toEqual(folders);
    await page.goto("/files/sorted?sort=name&dir=desc&view=list");
    await row(page, "README.md").waitFor();
    expect(await names(page)).toEqual([...folders.toReversed(), ...files.toReversed()]);
  });
});

test("the tree shows deep folders without scrolling sideways, and no arrow for folders without folders", async () => {
  const deep = Array.from({ length: 14 }, (_, at) => `d${at + 1}`).join("/");
  const page = await show(deep, ["leaf/x", "branch/in/x"]);
  const tree = page.getByRole("tree", { name: "Folders" });
  const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
  await node("leaf").waitFor();
  const widths = () => tree.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  const [scrollWidth = 0, clientWidth = 0] = await widths();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  expect(await node("leaf").getAttribute("aria-expanded")).toBeNull();
  expect(await node("branch").getAttribute("aria-expanded")).toBe("false");
  // Nor where the list does not show the folder.
  await page.goto(`/files/${deep}/leaf`);
  await node("leaf").waitFor();
  const beside = await fixture.seed.holdall.folders.create(`${deep}/beside`);
  await node("beside").waitFor();
  expect(await node("beside").getAttribute("aria-expanded")).toBeNull();
  await fixture.seed.holdall.folders.create(`${beside.key}/below`);
  await eventually("a folder with a new folder has an arrow", async () => {
    return (await node("beside").getAttribute("aria-expanded")) === "false";
  });
});

describe("checkboxes", () => {
  test("select and clear ranges with Shift", async () => {
    const page = await show("boxes", ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"]);
    await box(page, "1.txt").click();
    await box(page, "4.txt").click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").first().waitFor();
    await box(page, "2.txt").click();
    await box(page, "3.txt").click({ modifiers: ["Shift"] });
    await page.getByText("2 selected").first().waitFor();
    expect(await box(page, "3.txt").isChecked()).toBe(false);
    expect(await box(page, "1.txt").isChecked()).toBe(true);
  });

  test.each([
    ["desktop", 24],
    ["phone", 44],
  ] as const)("on a %s are at least %d pixels wide and high", async (device, size) => {
    const page = await show(`targets ${device}`, ["a.txt", "b.txt"], { device, width: 390 });
    const target = await box(page, "a.txt").boundingBox();
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(size);
    // The edge of the target selects, and does not open.
    await box(page, "a.txt").click({ position: { x: 2, y: size / 2 } });
    await page.getByText("1 selected").first().waitFor();
  });
});

test("the error of a rename is not cut off at the end of the list", async () => {
  const page = await show(
    "cut",
    Array.from({ length: 30 }, (_, at) => `${at}.txt`),
    { height: 600 },
  );
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, "29.txt").waitFor();
  await page.keyboard.press("F2");
  await page.keyboard.type("28");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "28.txt" });
  await alert.waitFor();
  const isWhole = await alert.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return [
      [left + 3, top + 3],
      [right - 3, bottom - 3],
    ].every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)));
  });
  expect(isWhole).toBe(true);
  await page.keyboard.press("Escape");
  await alert.waitFor({ state: "detached" });
});

test("Back opens the list where it was", async () => {
  await fixture.seed.many("far", 300);
  const page = await show("far", []);
  await row(page, "note-00001.txt").waitFor();
  const grid = page.getByRole("grid");
  await grid.evaluate((element) => element.scrollTo(0, 5_800));
  await row(page, "note-00165.txt").waitFor();
  const position = await grid.evaluate((element) => element.scrollTop);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.goBack();
  await row(page, "note-00165.txt").waitFor();
  expect(await grid.evaluate((element) => element.scrollTop)).toBe(position);
  // Opened anew, it starts at the top.
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.goto("/files/far?sort=name&dir=asc&view=list");
  await row(page, "note-00001.txt").waitFor();
});

test("says how many files there are before all are loaded", async () => {
  await fixture.seed.many("whole", 300);
  const page = await show("whole", []);
  await page.getByText(/^300 files, /).waitFor();
});

test("a missing folder offers no upload", async () => {
  const { page } = await fixture.signedIn({ expectedStatuses: [404] });
  await page.goto("/files/nowhere/at/all");
  await page.getByText("Folder not found").waitFor();
  expect(await page.getByRole("button", { name: "Upload" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "New folder" }).count()).toBe(0);
});

test("a new folder is selected and in view", async () => {
  await fixture.seed.many("born", 60);
  const page = await show("born", []);
  await box(page, "note-00001.txt").click();
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, "note-00060.txt").waitFor();
  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name", { exact: true }).fill("first/second");
  await page.keyboard.press("Enter");
  await row(page, "first").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("1 selected").first().waitFor();
  expect(await row(page, "first").getAttribute("aria-selected")).toBe("true");
  await page.getByRole("grid").focus();
  await page.keyboard.press("Enter");
  await row(page, "second").waitFor();
});

test("Escape empties the search, and then leaves it", async () => {
  const page = await show("leave", ["a.txt"]);
  await page.keyboard.press("/");
  await page.keyboard.type("a.t");
  await page.waitForURL("**q=a.t**");
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.search.includes("q="));
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await page.getByRole("grid", { name: "Contents of leave" }).waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.role === "grid");
});

describe("the menu", () => {
  test("stays open while the wheel still turns, and the list does not scroll", async () => {
    await fixture.seed.many("wheel", 60);
    const page = await show("wheel", []);
    await row(page, "note-00003.txt").click({ button: "right" });
    const menu = page.getByRole("menu");
    await menu.waitFor();
    await row(page, "note-00012.txt").hover({ force: true });
    await page.mouse.wheel(0, 400);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement?.textContent === "Open in a new tab");
    expect(await page.getByRole("grid").evaluate((element) => element.scrollTop)).toBe(0);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  });

  test("shows keys only where there is a keyboard", async () => {
    for (const [device, isShown] of [
      ["desktop", true],
      ["phone", false],
    ] as const) {
      const page = await show(`hints ${device}`, ["a.txt"], { device });
      await page.getByRole("button", { name: "More actions for a.txt" }).click({ force: true });
      const hint = page.getByRole("menu").getByText("F2");
      await hint.waitFor({ state: isShown ? "visible" : "hidden" });
    }
  });
});

test("the visibility dialog says what files are now, and offers the other", async () => {
  const page = await show("lit", ["a.txt", "b.txt", "c.txt"]);
  const dialog = page.getByRole("dialog");
  await box(page, "a.txt").click();
  await chooseForSelection("Visibility…")(page);
  await dialog.getByText("Now: 1 public, 0 private.").waitFor();
  await dialog.getByRole("button", { name: "Make private" }).click();
  await row(page, "a.txt").getByText("Private").waitFor();
  await chooseForSelection("Visibility…")(page);
  await dialog.getByText("Now: 0 public, 1 private.").waitFor();
  await dialog.getByRole("button", { name: "Make public" }).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await box(page, "b.txt").click();
  await chooseForSelection("Visibility…")(page);
  await dialog.getByText("Now: 1 public, 1 private.").waitFor();
});

test("TypeScript is text", async () => {
  const page = await show("source", ["app.ts", "film.mp4", "note.txt"]);
  const icon = (name: string) =>
    row(page, name).locator("svg[class*=text-kind-]").getAttribute("class");
  expect(await icon("app.ts")).toBe(await icon("note.txt"));
  expect(await icon("app.ts")).not.toBe(await icon("film.mp4"));
});

test("a selection leaves search, order and layout, and a click on empty space clears it", async () => {
  await fixture.seed.file("tools/a.txt");
  await fixture.seed.file("tools/b.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/tools");
  await row(page, "a.txt").click();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("1 selected").waitFor();
  await page.getByLabel("Sort by").waitFor();
  expect(await page.getByRole("radio", { name: "Grid" }).count()).toBe(1);
  await page.getByRole("button", { name: "New folder", exact: true }).waitFor();

  await chooseForSelection("Copy URL")(page);
  await page.getByText("URL copied.").first().waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toEndWith("/api/hosting/tools/a.txt");
  await chooseForSelection("Rename F2")(page);
  await page.keyboard.type("c");
  await page.keyboard.press("Enter");
  await row(page, "c.txt").waitFor();

  const list = await page.getByRole("grid").boundingBox();
  await page.getByRole("grid").click({ position: { x: 300, y: (list?.height ?? 0) - 20 } });
  await bar.waitFor({ state: "detached" });
  await row(page, "b.txt").click();
  await page.keyboard.press("/");
  await page.keyboard.type("c.t");
  await page.getByRole("grid", { name: /Search results/ }).waitFor();
});

test("a search ignores accents, knows *, and can be filtered", async () => {
  await fixture.seed.file("pastry/Éclair.txt");
  await fixture.seed.file("pastry/eclair.pdf");
  const { id } = await fixture.seed.holdall.files.getByKey("pastry/eclair.pdf");
  await fixture.seed.holdall.files.setVisibility(id, "private");
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/pastry");
  await row(page, "Éclair.txt").waitFor();
  await page.getByRole("searchbox").fill("eclair");
  await page.getByRole("grid", { name: /Search results/ }).waitFor();
  await row(page, "Éclair.txt").waitFor();
  await row(page, "eclair.pdf").waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByLabel("Visibility", { exact: true }).selectOption("Private");
  await row(page, "Éclair.txt").waitFor({ state: "detached" });
  await row(page, "eclair.pdf").waitFor();
  await page.getByLabel("Type", { exact: true }).selectOption("Images");
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await row(page, "Éclair.txt").waitFor();
  await page.getByRole("searchbox").fill("ecl*.PDF");
  await row(page, "Éclair.txt").waitFor({ state: "detached" });
  await row(page, "eclair.pdf").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("a search with filters is in the URL, marks what it found, and counts it", async () => {
  for (const name of ["Überblick.txt", "uberweg.txt", "other.txt"]) {
    await fixture.seed.file(`marks/${name}`);
  }
  const { id } = await fixture.seed.holdall.files.getByKey("marks/uberweg.txt");
  await fixture.seed.holdall.files.setVisibility(id, "private");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/marks?q=UBER");
  await row(page, "Überblick.txt").waitFor();
  await page.getByRole("status").filter({ hasText: "2 results" }).waitFor();
  const marked = await page.getByRole("grid").locator("mark").allTextContents();
  expect(marked.toSorted()).toEqual(["uber", "Über"]);
  await page.getByLabel("Visibility", { exact: true }).selectOption("Private");
  await page.getByLabel("Type", { exact: true }).selectOption("Text");
  await row(page, "Überblick.txt").waitFor({ state: "detached" });
  await page.getByRole("status").filter({ hasText: "1 result" }).waitFor();
  expect(new URL(page.url()).searchParams.get("visibility")).toBe("private");

  const sent = page.url();
  await page.reload();
  await row(page, "uberweg.txt").waitFor();
  expect(await row(page, "Überblick.txt").count()).toBe(0);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Trash" }).click();
  await page.waitForURL("**/trash");
  await page.goBack();
  await row(page, "uberweg.txt").waitFor();
  expect(page.url()).toBe(sent);
  expect(await page.getByLabel("Type", { exact: true }).inputValue()).toBe("text/*");
});

test("Refresh and the key R read the list again", async () => {
  await fixture.seed.file("again/a.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/again");
  await row(page, "a.txt").waitFor();
  const isList = (url: string) => /\/api\/folders\?.*key=again/.test(url);
  const byButton = page.waitForRequest((request) => isList(request.url()));
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await byButton;
  await page.getByRole("grid").focus();
  const byKey = page.waitForRequest((request) => isList(request.url()));
  await page.keyboard.press("r");
  await byKey;
});
