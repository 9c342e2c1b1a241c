import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, Request, Route } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { createPdf, recordVideo } from "./sample-media.ts";

const KINDS = ["text", "pdf", "film"] as const;
type Kind = (typeof KINDS)[number];

const EXTENSIONS: Record<Kind, string> = { text: "txt", pdf: "pdf", film: "webm" };
/** Enough for several screens. */
const FILES = 90;

const WIDE_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="100"><rect width="100%" height="100%"/></svg>';

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0" });
  const { page } = await fixture.signedIn();
  await page.goto("/files");
  const contents = { text: "Words", pdf: createPdf(1), film: await recordVideo(page) };
  for (const kind of KINDS) {
    const files = Array.from({ length: FILES }, (_, at) => ({
      content: new Blob([contents[kind]]),
      name: `${kind}-${1000 + at}.${EXTENSIONS[kind]}`,
    }));
    await fixture.seed.holdall.files.uploadMany(files, { folder: kind });
  }
  await fixture.seed.file("whole/page.pdf", contents.pdf);
  await fixture.seed.file("whole/wide.svg", WIDE_DRAWING);
  await fixture.seed.file("damaged/damaged.pdf", "%PDF-1.4 and nothing else");
  await fixture.seed.file("damaged/damaged.webm", "no film");
  await fixture.seed.file("unscaled/damaged.jpg", "no picture");
  await fixture.seed.file("unscaled/empty.jpg", "");
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const CONTENT = /\/api\/(hosting\/|files\/content\?)/;

const thumbnail = (page: Page, kind: Kind, at: number) => {
  const tile = page.getByRole("gridcell", { name: `${kind}-${1000 + at}.${EXTENSIONS[kind]}` });
  if (kind === "text") return tile.getByText("Words", { exact: true });
  return tile.locator(`${kind === "pdf" ? "canvas" : "video"}:not(.opacity-0)`);
};

const open = (page: Page, folder: string) =>
  page.goto(`/files/${folder}?sort=name&dir=asc&view=grid`);

const refuse = (route: Route, status: number) =>
  route.fulfill({
    status,
    headers: { "Retry-After": "1" },
    json: { data: null, error: { message: "Too many." } },
  });

test("pages and drawings are shown whole", async () => {
  const { page } = await fixture.signedIn();
  await open(page, "whole");
  const drawing = page.getByRole("gridcell", { name: "wide.svg" }).locator("img:not(.opacity-0)");
  await drawing.waitFor();
  expect(await drawing.evaluate((image) => getComputedStyle(image).objectFit)).toBe("contain");
  const canvas = page.getByRole("gridcell", { name: "page.pdf" }).locator("canvas:not(.opacity-0)");
  await canvas.waitFor();
  const [whole, frame] = await canvas.evaluate((element) =>
    [element, element.parentElement ?? element].map((each) => {
      const { top, right, bottom, left, width, height } = each.getBoundingClientRect();
      return { top, right, bottom, left, ratio: width / height };
    }),
  );
  if (whole === undefined || frame === undefined) throw new Error("The page has no frame.");
  expect(whole.ratio).toBeCloseTo(595 / 842, 1);
  expect(whole.top).toBeGreaterThanOrEqual(frame.top);
  expect(whole.bottom).toBeLessThanOrEqual(frame.bottom);
  expect(whole.left).toBeGreaterThanOrEqual(frame.left);
  expect(whole.right).toBeLessThanOrEqual(frame.right);
});

for (const status of [429, 503]) {
  test.each(KINDS)(
    `the thumbnail of a %s that is refused with ${status} comes later`,
    async (kind) => {
      const { page } = await fixture.signedIn({ expectedStatuses: [status] });
      const refused = new Set<string>();
      await page.route(CONTENT, async (route) => {
        const url = route.request().url();
        if (refused.has(url)) return route.continue();
        refused.add(url);
        await refuse(route, status);
      });
      await open(page, kind);
      await thumbnail(page, kind, 0).waitFor();
      await thumbnail(page, kind, 5).waitFor();
      expect(refused.size).toBeGreaterThan(3);
    },
  );
}

test.each(KINDS)("thumbnails of a %s that are scrolled past are cancelled", async (kind) => {
  const { page } = await fixture.signedIn();
  const held: Request[] = [];
  let holds = true;
  await page.route(CONTENT, (route) => {
    if (!holds) return route.continue();
    held.push(route.request());
    return undefined;
  });
  const cancelled = new Set<Request>();
  page.on("requestfailed", (request) => cancelled.add(request));
  await open(page, kind);
  await eventually("the first thumbnails are requested", () => held.length >= 3);
  holds = false;
  await page.locator("[role=grid]").press("End");
  await thumbnail(page, kind, FILES - 1).waitFor();
  await eventually("they are cancelled", () => held.every((request) => cancelled.has(request)));
});

test("a PDF that is left while it loads says nothing in the console", async () => {
  await fixture.seed.file("large/large.pdf", createPdf(1, 1024 ** 2));
  const { page, consoleErrors } = await fixture.signedIn();
  const held: Request[] = [];
  await page.route(CONTENT, (route) => {
    if (route.request().headers().range === undefined) return route.continue();
    held.push(route.request());
    return undefined;
  });
  const cancelled = new Set<Request>();
  page.on("requestfailed", (request) => cancelled.add(request));
  await open(page, "large");
  await eventually("a range is requested", () => held.length > 0);
  await page.getByRole("radio", { name: "List" }).check();
  await eventually("it is cancelled", () => held.every((request) => cancelled.has(request)));
  await page.unroute(CONTENT);
  await page.getByRole("radio", { name: "Grid" }).check();
  await page.locator("canvas:not(.opacity-0)").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("a film that cannot be decoded is not loaded again when it comes back into view", async () => {
  const { page } = await fixture.signedIn();
  // The browser caches the file, so that its requests say nothing of the attempts.
  await page.addInitScript(() => {
    let failures = 0;
    const count = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) failures += 1;
      Reflect.set(window, "failures", failures);
    };
    window.addEventListener("error", count, true);
  });
  const failures = () => page.evaluate(() => Reflect.get(window, "failures"));
  await open(page, "damaged");
  await eventually("the last attempt fails", async () => (await failures()) === 2);
  const film = page.getByRole("gridcell", { name: "damaged.webm" });
  await film.locator("svg.size-10").waitFor();
  await page.getByRole("radio", { name: "List" }).check();
  await film.locator("svg.size-10").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Grid" }).check();
  await film.locator("svg.size-10").waitFor();
  expect(await page.locator("video").count()).toBe(0);
  expect(await failures()).toBe(2);
});

test("damaged files get an icon, after a few attempts", async () => {
  const { page } = await fixture.signedIn();
  let requests = 0;
  page.on("request", (request) => {
    if (CONTENT.test(request.url())) requests += 1;
  });
  await open(page, "damaged");
  for (const name of ["damaged.pdf", "damaged.webm"]) {
    await page.getByRole("gridcell", { name }).locator("svg.size-10").waitFor();
  }
  await page.locator("video").waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  expect(await page.locator("video").count()).toBe(0);
  expect(requests).toBeLessThan(12);
});

test("a picture that cannot be made smaller is asked for once, and an empty one never", async () => {
  const { page } = await fixture.signedIn({ expectedStatuses: [415, 422] });
  const requested: string[] = [];
  page.on("request", (request) => {
    if (/size=small/.test(request.url())) requested.push(request.url());
  });
  await open(page, "unscaled");
  const damaged = page.getByRole("gridcell", { name: "damaged.jpg" }).locator("svg.size-10");
  const empty = page.getByRole("gridcell", { name: "empty.jpg" }).locator("svg.size-10");
  await damaged.waitFor();
  await empty.waitFor();
  await page.getByRole("radio", { name: "List" }).check();
  await damaged.waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Grid" }).check();
  await damaged.waitFor();
  await page.waitForLoadState("networkidle");
  expect(requested).toEqual([expect.stringContaining("damaged.jpg")]);
});
