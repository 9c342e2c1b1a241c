import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { choose, openMenu } from "./steps.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const dialog = (page: Page) => page.getByRole("dialog", { name: /^Embed/ });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function open(folder: string, name: string): Promise<Page> {
  const { page } = await fixture.signedIn({ reducedMotion: true, width: 1280 });
  await page.goto(`/files/${folder}`);
  await openMenu(name)(page);
  await choose("Embed…")(page);
  await dialog(page).waitFor();
  return page;
}

/** A picture of this many pixels, made by the browser. */
async function picture(width: number, height: number): Promise<Blob> {
  const { page, close } = await fixture.anonymous();
  const base64 = await page.evaluate(
    ([width = 1, height = 1]) => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      canvas.getContext("2d")?.fillRect(0, 0, width / 2, height);
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    },
    [width, height],
  );
  await close();
  return new Blob([Buffer.from(base64, "base64")], { type: "image/png" });
}

test("copies an image in any size and format at once, with all sizes in HTML", async () => {
  await fixture.seed.holdall.files.upload(await picture(1200, 600), {
    folder: "embed",
    name: "wide.png",
    visibility: "public",
  });
  const page = await open("embed", "wide.png");
  const copy = (format: string) =>
    dialog(page)
      .getByRole("button", { name: `Copy ${format}`, exact: true })
      .first()
      .click()
      .then(() =>
        dialog(page)
          .getByRole("button", { name: `${format} copied` })
          .first()
          .waitFor(),
      );
  await dialog(page).getByText("1200 × 600 px").waitFor();
  await copy("URL");
  const url = await clipboard(page);
  expect(url).toEndWith("/api/hosting/embed/wide.png");
  await copy("HTML");
  expect(await clipboard(page)).toContain(
    `srcset="${url}?size=small 320w, ${url}?size=medium 800w, ${url} 1200w"`,
  );

  await dialog(page).getByRole("radio", { name: "Medium" }).check();
  await dialog(page).getByText("800 × 400 px").waitFor();
  await copy("Markdown");
  expect(await clipboard(page)).toBe(`![wide.png](${url}?size=medium)`);
  expect(await axeViolations(page)).toEqual([]);

  await dialog(page)
    .getByRole("radio", { name: /^Lasting/ })
    .check();
  await copy("URL");
  const lasting = await clipboard(page);
  expect(lasting).toMatch(/wide\.png\?v=[0-9a-f]{16}&size=medium$/);
  const response = await fetch(lasting);
  expect(response.headers.get("cache-control")).toContain("immutable");
  expect(response.headers.get("content-type")).toStartWith("image/");
});

test("says of a private file what does not work, and makes it public", async () => {
  await fixture.seed.file("embed/secret.txt", "secret", "private");
  const page = await open("embed", "secret.txt");
  await dialog(page)
    .getByText(/pages that embed it show nothing/)
    .waitFor();
  await dialog(page).getByRole("button", { name: "Copy curl" }).first().click();
  await dialog(page).getByRole("button", { name: "curl copied" }).first().waitFor();
  expect(await clipboard(page)).toContain('-H "API-Key: $HOLDALL_KEY"');
  expect(
    await dialog(page)
      .getByRole("radio", { name: /^Lasting/ })
      .count(),
  ).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Make public" }).click();
  await dialog(page)
    .getByRole("radio", { name: /^Lasting/ })
    .waitFor();
  expect(
    await dialog(page)
      .getByText(/This file is private/)
      .count(),
  ).toBe(0);
});
