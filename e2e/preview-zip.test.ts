import { afterEach, beforeAll, expect, test } from "bun:test";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview } from "./preview-page.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  const folder = await seed.holdall.folders.create("packed");
  const names = ["packed/a10.txt", "packed/a2.txt", "packed/<b>تقرير.txt", "packed/sub/c.bin"];
  for (const name of names) await seed.file(name, new Uint8Array(2_000));
  const { response } = await seed.holdall.files.downloadZip({ folderIds: [folder.id] });
  const zip = new Uint8Array(await response.arrayBuffer());
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
  await preview.getByText("Couldn't list this archive").waitFor();
  await preview.getByRole("button", { name: "Download" }).last().waitFor();
});
