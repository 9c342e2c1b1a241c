import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { api } from "../test/client.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterAll(() => fixture.discard());

/** Names that the browser itself does not change. */
const NAMES = [
  "plain.txt",
  "two words.txt",
  "100%.txt",
  "a%20b%2Fc.txt",
  "a#b.txt",
  "it's; filename=b, c.txt",
  "a+b&c=d.txt",
  "grüße.txt",
  "日本語のファイル.txt",
  "한글.txt",
  "עברית.txt",
  "😀🎉.txt",
  "(1) [2] {3}.txt",
  "no extension",
  `${"x".repeat(200)}.txt`,
  `${"文".repeat(80)}.txt`,
];

test("Chromium saves files under their names, from hosting URLs and the download API", async () => {
  const { page, close } = await fixture.signedIn();
  await page.goto("/docs");
  for (const [at, name] of NAMES.entries()) {
    const file = await api(fixture.server).put(`saved-${at}/${name}`, name, {
      visibility: "private",
    });
    const targets = [`/${file.url}?download=1`, `/api/files/download/${file.id}`];
    for (const target of targets) {
      const started = page.waitForEvent("download");
      await page.evaluate((address) => {
        window.location.href = address;
      }, target);
      const download = await started;
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), "utf8")).toBe(name);
    }
  }
  await close();
});
