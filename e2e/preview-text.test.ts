import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview } from "./preview-page.ts";
import { sharedFixture } from "./shared-fixture.ts";

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const ROWS = Array.from({ length: 1_200 }, (_, at) => `${at + 1};"Müller; ${at + 1}";${at}\n`);
const CODE = `const line = "${"long ".repeat(100)}";\n`;
const LONG = `${"0123456789abcde\n".repeat(40_000)}the end`;

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  await seed.file("preview-text/broken.json", '{"a": ');
  await seed.file("preview-text/code.ts", CODE);
  await seed.file("preview-text/customers.csv", `id;name;count\n${ROWS.join("")}`);
  await seed.file(
    "preview-text/data.json",
    '{"name":"Holdall","big":12345678901234567890,"list":[]}',
  );
  await seed.file("preview-text/empty.txt", "");
  await seed.file("preview-text/latin.txt", latin1("Gr\xfc\xdfe aus K\xf6ln\n"));
  await seed.file("preview-text/japanese.txt", latin1("\x8c\xc3\x82\xa2\x83\x81\x83\x82\n"));
  await seed.file("preview-text/long.txt", LONG);
  await seed.file("preview-text/wide.txt", latin1("\xff\xfeG\0r\0\xfc\0\xdf\0e\0 \0z\0w\0e\0i\0"));
  await seed.file("preview-none/contract.docx", new Uint8Array(20));
  await seed.file("preview-none/damaged.jpg", new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]));
  await seed.file("preview-none/photo.heic", new Uint8Array(20));
  await seed.file("preview-none/scan.tiff", new Uint8Array(20));
});
afterEach(closeVisits);

const isWrapped = (page: Page) =>
  page.waitForFunction(() => {
    const content = document.querySelector("dialog [data-content]");
    return content !== null && content.scrollWidth <= content.clientWidth;
  });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test("recognizes Latin-1 and UTF-16 in previews and thumbnails", async () => {
  const { page } = await visitPreview(fixture, "preview-text/latin.txt");
  await previewOf(page, "latin.txt").getByText("Grüße aus Köln").waitFor();
  await previewOf(page, "latin.txt").getByText("Windows-1252").waitFor();
  await page.goto("/files/preview-text?sort=name&dir=asc&view=grid");
  await page.getByRole("gridcell", { name: "latin.txt" }).getByText("Grüße aus Köln").waitFor();
  await page.getByRole("gridcell", { name: "wide.txt" }).getByText("Grüße zwei").waitFor();
});

test("lets the user choose the encoding of a text that is not UTF-8", async () => {
  const { page } = await visitPreview(fixture, "preview-text/japanese.txt");
  const preview = previewOf(page, "japanese.txt");
  await preview.getByLabel("Text encoding").selectOption("shift_jis");
  await preview.getByText("古いメモ").waitFor();
  await preview.getByLabel("Text encoding").selectOption("");
  await preview.getByText("Windows-1252").waitFor();
});

test("shows JSON formatted and as it is written", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-text/data.json");
  const code = page.locator("dialog code");
  const formatted = '{\n  "name": "Holdall",\n  "big": 12345678901234567890,\n  "list": []\n}';
  await code.getByText("12345678901234567890").waitFor();
  expect(await code.textContent()).toBe(formatted);
  await page.getByRole("radio", { name: "Source" }).check();
  await code.filter({ hasText: '{"name"' }).waitFor();
  expect(await code.textContent()).not.toContain("\n");
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "broken.json" }).getByRole("link").click();
  await page.getByText("This is not valid JSON").waitFor();
  await code.getByText('"a"').waitFor();
  expect(consoleErrors).toEqual([]);
});

test("shows CSV as a table, a part of the rows at first", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-text/customers.csv");
  const table = page.getByRole("table", { name: "customers.csv" });
  await table.getByRole("columnheader", { name: "name" }).waitFor();
  await table.getByRole("cell", { name: "Müller; 7", exact: true }).waitFor();
  expect(await table.getByRole("row").count()).toBe(501);
  await page.getByText("Showing 500 rows of 1,200.").waitFor();
  await page.getByRole("button", { name: "Show 500 more rows" }).click();
  await table.getByRole("cell", { name: "Müller; 1000", exact: true }).waitFor();
  expect(await axeViolations(page, "dialog[data-preview]")).toEqual([]);
  await page.getByRole("radio", { name: "Source" }).check();
  await table.waitFor({ state: "detached" });
  await page.locator("dialog code").getByText('1;"Müller; 1";0').waitFor();
  expect(consoleErrors).toEqual([]);
});

test("breaks long lines on request, and remembers it", async () => {
  const { page } = await visitPreview(fixture, "preview-text/code.ts");
  await page.waitForFunction(() => {
    const content = document.querySelector("dialog [data-content]");
    return content !== null && content.scrollWidth > content.clientWidth * 2;
  });
  await page.getByRole("button", { name: "Wrap long lines", pressed: false }).click();
  await isWrapped(page);
  await page.reload();
  await page.getByRole("button", { name: "Wrap long lines", pressed: true }).waitFor();
  await page.locator("dialog code").getByText("const").waitFor();
  await isWrapped(page);
});

test("copies a whole text, including the part that is not shown", async () => {
  const { page } = await visitPreview(fixture, "preview-text/long.txt");
  await page.getByText("Showing the first part of").waitFor();
  await page.getByRole("button", { name: "Copy all" }).click();
  await page.getByText("Text copied.").first().waitFor();
  expect(await clipboard(page)).toBe(LONG);
});

test("calls an empty text empty", async () => {
  const { page } = await visitPreview(fixture, "preview-text/empty.txt");
  await page.getByText("This file is empty.").waitFor();
});

test.each([
  ["contract.docx", "Browsers can't show Word documents."],
  ["damaged.jpg", "This picture can't be shown. It is probably damaged"],
  ["photo.heic", "Browsers can't show HEIC pictures."],
  ["scan.tiff", "Browsers can't show TIFF pictures."],
])("says why %s has no preview", async (name, reason) => {
  const { page } = await visitPreview(fixture, `preview-none/${name}`);
  await previewOf(page, name).getByText(reason).waitFor();
});
