import { afterEach, beforeAll, expect, test } from "bun:test";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
/** The path of a link to the folder of all archives. */
let folder: string;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  const small = await pack(["docs/", "docs/<b>تقرير.txt", "docs/a10.txt", "docs/a2.txt"]);
  await seed.file("link-archives/small.zip", small);
  await seed.file("link-archives/cut.zip", small.slice(0, -40));
  await seed.file(
    "link-archives/many.zip",
    await pack(Array.from({ length: 1_002 }, (_, at) => `${at}.txt`)),
  );
  const { folder: shared } = await seed.holdall.folders.browse({ key: "link-archives" });
  folder = `/${(await seed.holdall.links.create({ folderId: shared.id })).url}`;
});
afterEach(closeVisits);

async function pack(paths: readonly string[]) {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0 });
  for (const path of paths) {
    const isFolder = path.endsWith("/");
    const content = isFolder ? undefined : new Uint8ArrayReader(new Uint8Array(2_000));
    await writer.add(path, content, { directory: isFolder });
  }
  return writer.close();
}

test("the page of a zip lists its files, sorted, with their sizes", async () => {
  const { page, consoleErrors } = await fixture.anonymous();
  await page.goto(`${folder}/small.zip?view=1`);
  await page.getByText("3 files, 6.0 KB unpacked").waitFor();
  const cells = await page.locator("tbody td:not(:last-child)").allInnerTexts();
  expect(cells.map((text) => text.trim())).toEqual([
    ...["docs", "–"],
    ...["docs/<b>تقرير.txt", "2.0 KB"],
    ...["docs/a2.txt", "2.0 KB"],
    ...["docs/a10.txt", "2.0 KB"],
  ]);
  const line = (element: Element): string => getComputedStyle(element).borderBottomStyle;
  expect(await page.locator("tbody td").first().evaluate(line)).toBe("solid");
  await page.getByRole("group", { name: "Files in small.zip" }).focus();
  // Axe copies the styles of shadow trees into the page, which reports that.
  expect(consoleErrors).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
});

test("a zip opened above its folder is listed, and of many files the first 1,000", async () => {
  const { page } = await fixture.anonymous();
  await page.goto(folder);
  await page.getByRole("link", { name: /^many\.zip/ }).click();
  const lightbox = page.locator("dialog.lightbox");
  await lightbox.getByText("The first 1,000 of 1,002 entries").waitFor();
  expect(await lightbox.locator("tbody tr").count()).toBe(1_000);
  await page.keyboard.press("Escape");
  await lightbox.waitFor({ state: "hidden" });
});

test("a zip that is cut says so, and can be downloaded", async () => {
  const { page } = await fixture.anonymous();
  await page.goto(`${folder}/cut.zip?view=1`);
  const words = "The files in this archive cannot be listed here. It may be damaged";
  await page.getByRole("status").filter({ hasText: words }).waitFor();
  await page.getByRole("link", { name: "Download" }).waitFor();
});

test("without scripts, the page of a zip has its name, its size and the download", async () => {
  const { page } = await fixture.anonymous({ scripts: false });
  await page.goto(`${folder}/small.zip?view=1`);
  await page.getByRole("heading", { name: "small.zip" }).waitFor();
  await page.locator(".meta").getByText("KB").waitFor();
  await page.getByText("This is an archive. Download it to open it.").waitFor();
  await page.getByRole("link", { name: "Download" }).waitFor();
});

test("the page of a folder loads nothing for its archives", async () => {
  const { page } = await fixture.anonymous();
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.goto(folder);
  await page.getByRole("link", { name: /^many\.zip/ }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(scripts.filter((url) => /archive-viewer|\/app\//.test(url))).toEqual([]);
});
