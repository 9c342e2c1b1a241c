import { afterEach, beforeAll, expect, test } from "bun:test";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview } from "./preview-page.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  // Another program has made it, whose names Windows need not have.
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0 });
  const folders = ["packed/", "packed/sub/"];
  for (const name of folders) await writer.add(name, undefined, { directory: true });
  const names = ["packed/a10.txt", "packed/a2.txt", "packed/<b>تقرير.txt", "packed/sub/c.bin"];
  for (const name of names) await writer.add(name, new Uint8ArrayReader(new Uint8Array(2_000)));
  const zip = await writer.close();
  await seed.file("preview-zip/all.zip", zip);
  await seed.file("preview-zip/cut.zip", zip.slice(0, 3_000));
});
afterEach(closeVisits);

test("a zip lists its files, sorted, without being loaded", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-zip/all.zip");
  const preview = previewOf(page, "all.zip");
  await preview.getByText("4 files, 8.0 KB unpacked").waitFor();
  const rows = await preview.locator("tbody tr td:first-child").allInnerTexts();
  expect(rows).toEqual([
    "packed",
    "packed/<b>تقرير.txt",
    "packed/a2.txt",
    "packed/a10.txt",
    "packed/sub",
    "packed/sub/c.bin",
  ]);
  expect(await axeViolations(page)).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test("a zip that is cut says so, and can be downloaded", async () => {
  const { page } = await visitPreview(fixture, "preview-zip/cut.zip");
  const preview = previewOf(page, "cut.zip");
  await preview.getByText("This archive can't be shown. It is probably damaged").waitFor();
  await preview.getByRole("button", { name: "Download" }).last().waitFor();
});
