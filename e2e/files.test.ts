import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const show = async (folder: string, files: readonly string[]): Promise<Page> =>
  (await showFolder(fixture, folder, files)).page;

describe("by keyboard", () => {
  test("creates a folder, and selects, renames, moves and deletes files", async () => {
    const page = await show("keys", ["a.txt", "b.txt", "c.txt", "d.txt"]);
    await button(page, "New folder").focus();
    // Types without waiting for the dialog, as users do.
    await page.keyboard.press("Enter");
    await page.keyboard.type("target");
    await page.keyboard.press("Enter");
    await row(page, "target").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("1 selected").first().waitFor();

    await page.getByRole("grid").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByText("2 selected").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("2 selected").first().waitFor({ state: "hidden" });

    await page.keyboard.press("F2");
    await page.keyboard.type("renamed");
    await page.keyboard.press("Enter");
    await row(page, "renamed.txt").waitFor();
    await expectNames(page, ["target", "a.txt", "b.txt", "d.txt", "renamed.txt"]);

    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await button(page, "Move to…").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("treeitem", { name: "target" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByText("To “keys/target”").waitFor();
    await dialog.getByRole("button", { name: "Move here" }).focus();
    await page.keyboard.press("Enter");
    await row(page, "a.txt").waitFor({ state: "detached" });
    await expectNames(page, ["target", "d.txt", "renamed.txt"]);

    await page.getByRole("grid").focus();
    await row(page, "target").getByText("2 files", { exact: true }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByText("Moved 3 items to the trash.").first().waitFor();
    await page.getByText("This folder is empty").waitFor();
  });

  test("opens and leaves folders, with browser history", async () => {
    const page = await show("walk/deep", ["a.txt"]);
    await page.goto("/files/walk");
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await row(page, "a.txt").waitFor();
    expect(new URL(page.url()).pathname).toBe("/files/walk/deep");
    await page.goBack();
    await row(page, "deep").waitFor();
    await page.goForward();
    await row(page, "a.txt").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await row(page, "deep").waitFor();
  });
});

describe("by mouse", () => {
  test("selects ranges and single files, and drags them onto a folder", async () => {
    const page = await show("mouse", ["1.txt", "2.txt", "3.txt", "4.txt", "into/x.txt"]);
    const size = (name: string) => row(page, name).getByRole("gridcell").nth(3);
    await size("1.txt").click();
    await size("3.txt").click({ modifiers: ["Shift"] });
    await size("2.txt").click({ modifiers: ["ControlOrMeta"] });
    await page.getByText("2 selected").first().waitFor();
    await size("3.txt").dragTo(row(page, "into"));
    await page.getByText("Moved 2 items to “into”.").first().waitFor();
    await expectNames(page, ["into", "2.txt", "4.txt"]);
  });

  test("shows a name conflict at the rename field", async () => {
    const page = await show("taken", ["one.txt", "two.txt"]);
    await row(page, "one.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.keyboard.type("two");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Name already taken" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").filter({ hasText: "two.txt" }).waitFor();
    await page.keyboard.press("Escape");
    await expectNames(page, ["one.txt", "two.txt"]);
  });

  test("keeps the order in the URL", async () => {
    const page = await show("order", ["a.txt", "b.txt"]);
    await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await page.waitForURL("**sort=name&dir=desc**");
    await page.waitForFunction(
      () => document.querySelector("[role=grid] a")?.textContent === "b.txt",
    );
    await page.reload();
    await page.getByRole("grid").waitFor();
    await expectNames(page, ["b.txt", "a.txt"]);
  });
});

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
  await button(page, "Copy to…").focus();
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
  await button(page, "Copy to…").click();
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

describe("files", () => {
  test("can be made private and opened by a signed link", async () => {
    const page = await show("links", ["secret.txt"]);
    await row(page, "secret.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Make private" }).click();
    await row(page, "secret.txt").getByText("Private").waitFor();
    expect((await fetch(`${fixture.server.url}/api/hosting/links/secret.txt`)).status).toBe(404);

    await button(page, "Share…").click();
    await page.getByRole("radio", { name: "Signed URL" }).check();
    await page.getByLabel("Expires in").selectOption("1 hour");
    await button(page, "Create signed URL").click();
    const link = page.getByRole("figure").filter({ hasText: "Signed URL" }).first().locator("code");
    await page.getByText(/^Signed URL created.* Expires .*\d{4}/).waitFor();
    expect(await (await fetch((await link.textContent()) ?? "")).text()).toBe("Hello");
  });

  test("are downloaded one by one, and several as a zip", async () => {
    const page = await show("save", ["a.txt", "b.txt", "sub/c.txt"]);
    await row(page, "a.txt").click({ button: "right" });
    const one = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Download" }).click();
    expect((await one).suggestedFilename()).toBe("a.txt");

    await page.getByRole("checkbox", { name: "Select all" }).click();
    const zip = page.waitForEvent("download");
    await button(page, "Download as zip").click();
    expect((await zip).suggestedFilename()).toEndWith(".zip");
    const content = await Bun.file((await (await zip).path()) ?? "").text();
    for (const name of ["a.txt", "b.txt", "sub/c.txt"]) expect(content).toContain(name);
  });

  test("are downloaded as a zip when they are many, in a tab of their own", async () => {
    const names = Array.from({ length: 180 }, (_, index) => `file-${index}.txt`);
    const page = await show("save-many", names);
    await page.getByRole("checkbox", { name: "Select all" }).click();
    const tab = page.context().waitForEvent("page");
    const zip = page.waitForEvent("download");
    await button(page, "Download as zip").click();
    const download = await zip;
    expect(download.suggestedFilename()).toEndWith(".zip");
    const content = await Bun.file((await download.path()) ?? "").text();
    for (const name of names) expect(content).toContain(name);
    // Chromium closes the tab, though not always at once when it runs headless.
    expect(await tab).not.toBe(page);
    expect(page.url()).toEndWith("/files/save-many");
  });

  test.each([2, 180])("that were deleted are named when %i are downloaded", async (count) => {
    const folder = `save-gone-${count}`;
    const names = Array.from({ length: count }, (_, index) => `file-${index}.txt`);
    const page = await show(folder, names);
    await page.getByRole("checkbox", { name: "Select all" }).click();
    // Rejects the request as if a file had just been deleted; the list would learn of a real deletion.
    await page.route("**/api/files/download", async (route) => {
      const ids = ["00000000000000000000000000000000"];
      await route.continue({ postData: JSON.stringify({ ids }) });
    });
    await button(page, "Download as zip").click();
    await page.getByText(/0{32}/).first().waitFor();
  });

  test("with markup in their names are shown as text", async () => {
    const name = '<img src=x onerror="document.title=1">.txt';
    const page = await show("markup", [name]);
    await row(page, name).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText(`Moved “${name}” to the trash.`).first().waitFor();
    expect(await page.title()).toBe("markup · Holdall");
  });
});

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
  const end = page.getByText("700 results", { exact: true });
  for (let rounds = 0; rounds < 200 && (await end.count()) === 0; rounds += 1) {
    await page.keyboard.press("End");
    await page.waitForResponse("**/api/search?*", { timeout: 500 }).catch(() => undefined);
  }
  await end.waitFor();

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
  // In the order of its new folder, it is no longer the last.
  await row(page, "trove-697.txt").waitFor({ state: "detached" });
  await page.getByText("698 results", { exact: true }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, "trove-696.txt").getByText("chest/x", { exact: true }).waitFor();
  const { folder } = await holdall.folders.browse({ key: "chest/x" }, { limit: 0 });
  await holdall.folders.rename(folder.id, "y");
  await page.keyboard.press("F2");
  await page.keyboard.type("trove-zzz");
  await page.keyboard.press("Enter");
  await row(page, "trove-zzz.txt").getByText("chest/y", { exact: true }).waitFor();
  await row(page, "trove-695.txt").getByText("chest/y", { exact: true }).waitFor();
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

test("shows the size of folders, in the list and in the grid", async () => {
  const page = await show("sizes", ["inside/a.txt", "inside/deep/b.txt"]);
  const line = row(page, "inside");
  await line.getByText("2 files", { exact: true }).waitFor();
  expect(await line.getByRole("gridcell").nth(3).textContent()).toBe("10 B");
  await fixture.seed.file("sizes/inside/c.txt");
  await button(page, "New folder").click();
  await page.getByLabel("Name", { exact: true }).fill("empty");
  await page.keyboard.press("Enter");
  await line.getByText("3 files", { exact: true }).waitFor();
  // A change that the page hears of may be shown before the dialog closes.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Grid" }).click({ force: true });
  await page.getByText("3 files · 15 B").waitFor();
});

test("scrolls 5,000 files and selects them all", async () => {
  await fixture.seed.many("many", 5_000);
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/many");
  await page.getByText("note-00001.txt").waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await page.getByText("5,000 selected").first().waitFor();
  await page.keyboard.press("End");
  await page.getByText("note-05000.txt").waitFor();

  // A list of this length is not refetched: changed files are inserted in place.
  let pages = 0;
  page.on("request", (request) => {
    if (request.url().includes("limit=1000")) pages += 1;
  });
  await page.keyboard.press("End");
  await page.keyboard.press("F2");
  await page.keyboard.type("aaa");
  await page.keyboard.press("Enter");
  await row(page, "note-05000.txt").waitFor({ state: "detached" });
  await fixture.seed.file("many/zzz.txt");
  await button(page, "New folder").click();
  await page.getByLabel("Name", { exact: true }).fill("later");
  await page.keyboard.press("Enter");
  await row(page, "later").waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, "zzz.txt").waitFor();
  await page.keyboard.press("Home");
  await row(page, "later").waitFor();
  await page.waitForFunction(
    (expected) =>
      [...document.querySelectorAll("[role=grid] a")]
        .slice(0, 3)
        .map((link) => link.textContent)
        .join() === expected,
    ["later", "aaa.txt", "note-00001.txt"].join(),
  );
  expect(pages).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test("shows a banner while the server is unreachable, and recovers", async () => {
  const page = await show("away", ["a.txt"]);
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.goto("/files/away").catch(() => {});
  await page.getByText("Can't reach the server").waitFor();
  await page.unroute("**/api/**");
  await row(page, "a.txt").waitFor();
  await page.getByText("Can't reach the server").waitFor({ state: "hidden" });
});

test("does not show a change that did not reach the server", async () => {
  const page = await show("midway", ["a.txt", "b.txt"]);
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await row(page, "a.txt").getByRole("gridcell").nth(3).click();
  await page.keyboard.press("Delete");
  await page.getByText("Can't reach the server").first().waitFor();
  await row(page, "a.txt").waitFor();
  await page.unroute("**/api/**");
  await page.getByText("Can't reach the server").first().waitFor({ state: "hidden" });
  await expectNames(page, ["a.txt", "b.txt"]);
});
