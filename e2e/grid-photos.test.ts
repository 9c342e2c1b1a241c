import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodeJpeg, encodePng } from "../test/image-encoders.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { holdThumbnails } from "./hold-thumbnails.ts";
import { choose, createLocalFiles, openFolder } from "./upload-panel.ts";

const PHOTOS = 40;
/** Enough for several screens. */
const SMALL_PHOTOS = 180;

let fixture: BrowserFixture;
let photoBytes = 0;

beforeAll(async () => {
  fixture = await createBrowserFixture();
  const { seed } = fixture;
  for (let at = 0; at < PHOTOS; at += 1) {
    const photo = await encodeJpeg(1200, 800, (x, y) => {
      const noise = ((x * 7919 + y * 104_729 + at) % 97) - 48;
      return [128 + noise, (x / 5 + at * 6) % 200, (y / 4 + noise + 48) % 256];
    });
    photoBytes += photo.length;
    const visibility = at % 2 === 0 ? "public" : "private";
    await seed.file(`photos/photo-${10 + at}.jpg`, new Uint8Array(photo), visibility);
  }
  const files = Array.from({ length: SMALL_PHOTOS }, (_, at) => ({
    content: new Blob([new Uint8Array(encodePng(20, 20, () => [at % 256, 90, 120]))]),
    name: `small-${1000 + at}.png`,
  }));
  for (let at = 0; at < files.length; at += 100) {
    await seed.holdall.files.uploadMany(files.slice(at, at + 100), { folder: "many" });
  }
  await seed.file(
    "odd/damaged.jpg",
    new Uint8Array((await encodeJpeg(50, 50, () => [1, 2, 3])).subarray(0, 300)),
  );
  await seed.file(
    "odd/drawing.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  );
  await seed.file("odd/text.jpg", "no image");
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const isThumbnail = (request: Request): boolean => request.url().includes("size=small");
const shown = (page: Page) => page.locator("[role=gridcell] img:not(.opacity-0)");
const tile = (page: Page, name: string) => page.getByRole("gridcell", { name });
const open = (page: Page, folder: string) =>
  page.goto(`/files/${folder}?sort=name&dir=asc&view=grid`);

/** Bytes of the responses with files, as they were transferred. */
function countBytes(page: Page) {
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (!request.url().includes("/api/hosting/")) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.locator("[role=grid]").evaluate((grid) => {
    for (let at: Element | null = grid; at !== null; at = at.parentElement) {
      at.scrollTop = at.scrollHeight;
    }
  });
}

test("40 photos load less than 1.5 MB, and no originals", async () => {
  const { page, consoleErrors } = await fixture.signedIn();
  const bytes = countBytes(page);
  const urls: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().includes("/api/hosting/")) urls.push(request.url());
  });
  await open(page, "photos");
  for (let at = 0; at < PHOTOS; at += 1) {
    const photo = tile(page, `photo-${10 + at}.jpg`);
    await photo.scrollIntoViewIfNeeded();
    await photo.locator("img:not(.opacity-0)").waitFor();
  }
  await page.locator("[role=grid]").press("Home");
  await tile(page, "photo-10.jpg").locator("img:not(.opacity-0)").waitFor();
  expect(urls.every((url) => url.endsWith("?size=small"))).toBe(true);
  expect(new Set(urls).size).toBe(PHOTOS);
  expect(photoBytes).toBeGreaterThan(10_000_000);
  expect(await bytes()).toBeLessThan(1_500_000);
  expect(consoleErrors).toEqual([]);
});

test("thumbnails that are scrolled past are cancelled, and the others load", async () => {
  const { page } = await fixture.signedIn();
  const held = await holdThumbnails(page);
  const urls = new Set<string>();
  page.on("request", (request) => {
    if (isThumbnail(request)) urls.add(request.url());
  });
  await open(page, "many");
  await eventually("the first thumbnails are requested", () => held.count() === 4);
  held.stop();
  await scrollToEnd(page);
  await eventually("they are cancelled", held.areCancelled);
  await tile(page, "small-1179.png").locator("img:not(.opacity-0)").waitFor();
  // Those in between were never requested.
  expect(urls.size).toBeLessThan(SMALL_PHOTOS / 2);
});

test.each([429, 503])("a thumbnail that is refused with %d comes later", async (status) => {
  const { page } = await fixture.signedIn({ expectedStatuses: [status] });
  const refused = new Set<string>();
  await page.route(/size=small/, async (route) => {
    const url = route.request().url();
    if (refused.has(url)) return route.continue();
    refused.add(url);
    await route.fulfill({
      status,
      headers: { "Retry-After": "1" },
      json: { data: null, error: { message: "Too many." } },
    });
  });
  await open(page, "photos");
  await tile(page, "photo-10.jpg").locator("img:not(.opacity-0)").waitFor();
  await tile(page, "photo-15.jpg").locator("img:not(.opacity-0)").waitFor();
  expect(refused.size).toBeGreaterThan(5);
});

test("an image that has no smaller size is shown as it is, or as an icon", async () => {
  const { page } = await fixture.signedIn({ expectedStatuses: [415, 422] });
  await open(page, "odd");
  await tile(page, "drawing.svg").locator("img:not(.opacity-0)").waitFor();
  await tile(page, "damaged.jpg").locator("svg.size-10").waitFor();
  await tile(page, "text.jpg").locator("svg.size-10").waitFor();
  expect(await shown(page).count()).toBe(1);
});

test("uploaded photos are scaled before the grid shows them", async () => {
  const local = createLocalFiles();
  try {
    const { page } = await openFolder(fixture, "holiday", [404]);
    const scaled: number[] = [];
    page.on("response", (response) => {
      const request = response.request();
      if (request.method() === "HEAD" && isThumbnail(request)) scaled.push(response.status());
    });
    const photo = new Uint8Array(await encodeJpeg(900, 600, (x, y) => [x % 256, y % 256, 90]));
    const paths = ["one.jpg", "two.jpg"].map((name) => local.file(`holiday/${name}`, photo));
    await choose(page, async () => {
      await page.getByRole("button", { name: "Upload", exact: true }).first().click();
      await page.getByRole("menuitem", { name: "Files…" }).click();
    }, [...paths, local.file("holiday/three.jpg", "no photo")]);
    await eventually("both photos are scaled", () => scaled.length === 2);
    expect(scaled).toEqual([200, 200]);
  } finally {
    local.remove();
  }
});
