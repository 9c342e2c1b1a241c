import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodePng } from "../test/image-encoders.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { holdThumbnails } from "./hold-thumbnails.ts";

/** Enough for several screens. */
const FOLDERS = 60;
const LONG_NAME = `${"A very long name of a folder ".repeat(6)}to the end`;

let fixture: BrowserFixture;

const picture = (at: number) =>
  new Uint8Array(encodePng(40, 30, (x) => [(at * 40 + x) % 256, 90, 120]));

beforeAll(async () => {
  fixture = await createBrowserFixture();
  const { seed } = fixture;
  await seed.file("mixed/photos/1.png", picture(1));
  await seed.file("mixed/photos/2.png", picture(2), "private");
  await seed.file("mixed/photos/3.txt", "Words", "private");
  await seed.file("mixed/photos/10.pdf", "%PDF-1.4");
  await seed.file("mixed/photos/11.png", picture(3));
  await seed.file(`mixed/${LONG_NAME}/film.webm`, "no film");
  await seed.file("mixed/nested/below/deep.png", picture(4));
  await seed.holdall.folders.create("mixed/empty");
  for (let at = 0; at < FOLDERS; at += 1) await seed.file(`many/f-${100 + at}/a.png`, picture(at));
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const tile = (page: Page, name: string) => page.getByRole("gridcell", { name });
const pictures = (page: Page, name: string) =>
  tile(page, name).locator(".grid-cols-2 img:not(.opacity-0)");
const icons = (page: Page, name: string) => tile(page, name).locator(".grid-cols-2 svg");
/** The shape of a folder without a file in it. */
const emptyFolder = (page: Page, name: string) => tile(page, name).locator(".grid-cols-2:empty");
const open = (page: Page, folder: string) =>
  page.goto(`/files/${folder}?sort=name&dir=asc&view=grid`);

/** Collects the requests whose URL contains a text. */
function record(page: Page, part: string): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes(part)) requests.push(request);
  });
  return requests;
}

test("folders show their first files, also private ones, and others look empty", async () => {
  const { page, consoleErrors } = await fixture.signedIn();
  const peeks = record(page, "peek=1");
  const contents = record(page, "/api/hosting/");
  await open(page, "mixed");
  await pictures(page, "photos").nth(1).waitFor();
  expect(await pictures(page, "photos").count()).toBe(2);
  expect(await icons(page, "photos").count()).toBe(2);
  expect(await icons(page, LONG_NAME).count()).toBe(1);
  for (const name of ["empty", "nested"]) {
    await emptyFolder(page, name).waitFor();
    expect(await pictures(page, name).count()).toBe(0);
  }
  expect(await emptyFolder(page, "photos").count()).toBe(0);
  expect(contents.map((request) => request.url().replace(/.*hosting\//, "")).sort()).toEqual([
    "mixed/photos/1.png?size=small",
    "mixed/photos/2.png?size=small",
  ]);
  expect(peeks.length).toBe(1);
  expect(consoleErrors).toEqual([]);
});

test("the first files of many folders are loaded in one request, and only by the grid", async () => {
  const { page } = await fixture.signedIn();
  const peeks = record(page, "peek=1");
  await page.goto("/files/many?sort=name&dir=asc&view=list");
  await page.getByRole("row", { name: "f-100" }).waitFor();
  await page.goto("/files?q=photos&view=grid");
  await emptyFolder(page, "photos").waitFor();
  expect(peeks.length).toBe(0);
  await open(page, "many");
  await pictures(page, "f-100").waitFor();
  await page.locator("[role=grid]").press("End");
  await pictures(page, `f-${100 + FOLDERS - 1}`).waitFor();
  expect(peeks.length).toBe(1);
});

test("pictures of folders that are scrolled past are cancelled", async () => {
  const { page } = await fixture.signedIn();
  const held = await holdThumbnails(page);
  const requested = record(page, "size=small");
  await open(page, "many");
  await eventually("the first pictures are requested", () => held.count() === 4);
  held.stop();
  await page.locator("[role=grid]").press("End");
  await pictures(page, `f-${100 + FOLDERS - 1}`).waitFor();
  await eventually("they are cancelled", held.areCancelled);
  // Those in between were never requested.
  expect(requested.length).toBeLessThan(FOLDERS);
});

test("a folder shows files that are added, replaced or deleted elsewhere", async () => {
  const { holdall, file } = fixture.seed;
  await holdall.folders.create("live/inner");
  const { page } = await fixture.signedIn();
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await open(page, "live");
  await emptyFolder(page, "inner").waitFor();
  await following;
  await file("live/inner/words.txt");
  await icons(page, "inner").waitFor();
  await file("live/inner/a.png", picture(1));
  await pictures(page, "inner").waitFor();
  for (const name of ["a.png", "words.txt"]) {
    const { id } = await holdall.files.getByKey(`live/inner/${name}`);
    await holdall.files.delete(id);
  }
  await emptyFolder(page, "inner").waitFor();
  await file("live/other/a.png", picture(2));
  await pictures(page, "other").waitFor();
});

test("a grid whose folders' first files cannot be loaded shows empty folders", async () => {
  const { page } = await fixture.signedIn({ expectedStatuses: [500] });
  await page.route(/peek=1/, (route) =>
    route.fulfill({ status: 500, json: { data: null, error: { message: "Unexpected." } } }),
  );
  await open(page, "mixed");
  await emptyFolder(page, "photos").waitFor();
  await tile(page, "photos").dblclick();
  await tile(page, "3.txt").waitFor();
});
