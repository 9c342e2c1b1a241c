import { afterEach, beforeAll, describe, expect, test } from "bun:test";
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

describe("files", () => {
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
});
