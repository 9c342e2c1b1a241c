import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodePng, pngChunk } from "../test/image-encoders.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { detailedJpeg } from "./detailed-jpeg.ts";
import { transferredBytes } from "./transferred-bytes.ts";

let fixture: BrowserFixture;
let gallery = "";
const PHOTOS = 60;
beforeAll(async () => {
  fixture = await createBrowserFixture();
  const { holdall } = fixture.seed;
  const photos = await Promise.all([1, 2, 3, 4].map(detailedJpeg));
  for (let at = 0; at < PHOTOS; at += 1) {
    const photo = photos[at % photos.length] ?? Buffer.alloc(0);
    await fixture.seed.file(`first view/photo-${at + 101}.jpg`, new Uint8Array(photo));
  }
  const { folder } = await holdall.folders.browse({ key: "first view" });
  gallery = `/${(await holdall.links.create({ folderId: folder.id })).url}`;
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const pictures = (page: Page) =>
  page
    .locator(".gallery img")
    .evaluateAll(
      (all) =>
        all.filter((image) => image instanceof HTMLImageElement && image.naturalWidth > 0).length,
    );

test.each([
  [1440, 900, "desktop"],
  [1440, 900, "dense"],
  [768, 1024, "desktop"],
  [390, 844, "phone"],
] as const)(
  "the first view transfers at most 200 KB at %d × %d on a %s",
  async (width, height, device) => {
    const { page } = await fixture.anonymous({ width, height, device });
    await page.goto(gallery, { waitUntil: "networkidle" });
    expect(await transferredBytes(page)).toBeWithin(80_000, 200_001);
    const inView = await page
      .locator(".gallery a")
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().top < innerHeight));
    expect(await pictures(page)).toBe(inView.length);
  },
);

test("the first view is followed by what is near, and by sharper pictures on a dense screen", async () => {
  const { page } = await fixture.anonymous({ width: 1440, height: 900, device: "dense" });
  await page.goto(gallery, { waitUntil: "networkidle" });
  const before = await pictures(page);
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await eventually("more pictures are loaded", async () => (await pictures(page)) > before + 12);
  await eventually("the first is sharper", () =>
    page
      .locator(".gallery img")
      .first()
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth === 240),
  );
});

test("an image that the server cannot scale is loaded once", async () => {
  const png = encodePng(900, 900, () => [200, 100, 50]);
  const gamma = Buffer.alloc(4);
  gamma.writeUInt32BE(100_000);
  const linear = Buffer.concat([png.subarray(0, 33), pngChunk("gAMA", gamma), png.subarray(33)]);
  await fixture.seed.file("unscaled/linear.png", new Uint8Array(linear));
  await fixture.seed.file("unscaled/photo.jpg", new Uint8Array(await detailedJpeg(5)));
  const { folder } = await fixture.seed.holdall.folders.browse({ key: "unscaled" });
  const { url } = await fixture.seed.holdall.links.create({ folderId: folder.id });
  const { page } = await fixture.anonymous({ width: 1440, height: 900, device: "dense" });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`/${url}`, { waitUntil: "networkidle" });
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  const sizesOf = (name: string) =>
    requests.filter((each) => each.includes(name)).map((each) => each.replace(/.*size=/, ""));
  await eventually("the photo is sharper", () => sizesOf("photo.jpg").includes("dense-tile"));
  expect(sizesOf("linear.png")).toEqual(["tile"]);
});

test("tiles stay when the sharper pictures cannot be loaded", async () => {
  const { page } = await fixture.anonymous({ width: 1440, height: 900, device: "dense" });
  const failed = new Set<string>();
  await page.route(/size=dense-tile/, (route) => {
    failed.add(route.request().url());
    return route.abort();
  });
  await page.goto(gallery, { waitUntil: "networkidle" });
  const before = await pictures(page);
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await eventually("more pictures are loaded", async () => (await pictures(page)) > before + 12);
  expect(failed.size).toBeGreaterThan(before);
  expect(await page.locator(".gallery .broken").count()).toBe(0);
});

test("pictures that the visitor has not seen are printed", async () => {
  const { page } = await fixture.anonymous({ width: 390, height: 844 });
  await page.goto(gallery, { waitUntil: "networkidle" });
  expect(await pictures(page)).toBeLessThan(PHOTOS);
  await page.emulateMedia({ media: "print" });
  const places = await page
    .locator(".gallery img")
    .evaluateAll((all) => all.map((image) => getComputedStyle(image).translate));
  expect(places).toEqual(places.map(() => "none"));
});

test("pictures come by themselves if the script cannot be loaded", async () => {
  const { page } = await fixture.anonymous({ width: 390, height: 844 });
  await page.route(/links[^/]*\.js/, (route) => route.abort());
  await page.goto(gallery);
  const before = await pictures(page);
  await eventually("more pictures are loaded", async () => (await pictures(page)) > before + 6);
});

test("without scripts, every picture that is near is loaded", async () => {
  const { page } = await fixture.anonymous({ scripts: false });
  await page.goto(gallery, { waitUntil: "networkidle" });
  expect(await pictures(page)).toBeGreaterThan(24);
});

test("the first view of a photograph transfers at most 400 KB on a phone", async () => {
  const { holdall } = fixture.seed;
  const { id } = await holdall.files.getByKey("first view/photo-101.jpg");
  const { url } = await holdall.links.create({ fileId: id });
  const { page } = await fixture.anonymous({ width: 390, height: 844, device: "phone" });
  await page.goto(`/${url}`, { waitUntil: "networkidle" });
  expect(await transferredBytes(page)).toBeWithin(60_000, 400_001);
});
