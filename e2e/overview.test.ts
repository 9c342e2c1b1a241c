import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { Holdall } from "../sdk/src/holdall.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { failWith500, type Step } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
  await fixture.seed.file("photos/big.jpg", new Uint8Array(3_000_000));
  await fixture.seed.file("notes/small.txt", "Hello");
});
afterAll(() => fixture.discard());

const panel = (page: Page, name: string) => page.getByRole("region", { name });

async function show(path = "/overview", prepare?: Step) {
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await prepare?.(visit.page);
  await visit.page.goto(path);
  await visit.page.getByRole("heading", { name: "Overview" }).waitFor();
  return visit;
}

/** As on a server that had traffic in the time before. */
const withPrevious: Step = (page) =>
  page.route("**/api/overview*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    data.previous = { requests: 200, bytes: 48_000, errors: 0 };
    await route.fulfill({ response, json: { data, error: null } });
  });

/** The last bar of the chart is the current hour, which may end between a request and the page. */
async function showWithRequestInThisHour() {
  const hour = () => new Date().toISOString().slice(0, 13);
  for (;;) {
    const before = hour();
    await (await fetch(`${fixture.server.url}/api/hosting/notes/small.txt`)).text();
    const visit = await show("/overview", withPrevious);
    await panel(visit.page, "Traffic").getByRole("slider").first().waitFor();
    if (hour() === before) return visit;
    await visit.close();
  }
}

describe("the overview", () => {
  test("shows storage by type, and the largest and most recent files", async () => {
    const { page, consoleErrors } = await show();
    await panel(page, "Storage").getByText("3.0 MB", { exact: true }).waitFor();
    await panel(page, "Storage")
      .getByText(/free on the volume/)
      .waitFor();
    // The settings page shows the same unit.
    await panel(page, "Storage").getByText("256 MiB", { exact: true }).waitFor();
    const lines = await panel(page, "Storage").locator("dl > div").all();
    for (const line of lines) expect((await line.boundingBox())?.height).toBeLessThan(45);
    await panel(page, "By type").getByText("Images").waitFor();
    const kinds = panel(page, "By type").getByRole("listitem");
    expect(await kinds.allTextContents()).toEqual([
      expect.stringMatching(/^Images1 file3\.0 MB100%$/),
      expect.stringMatching(/^Text and code1 file5 B< 0\.1%$/),
    ]);
    await panel(page, "By type").getByText("Files", { exact: true }).click();
    await panel(page, "By type").getByText("50%").first().waitFor();
    // Bars are shares of all files, not of the largest kind.
    const bar = kinds.first().locator("div > div");
    await page.waitForFunction(
      (element) => {
        const full = element?.parentElement?.clientWidth ?? 0;
        return element !== null && Math.abs(element.clientWidth / full - 0.5) < 0.02;
      },
      await bar.elementHandle(),
    );

    const largest = panel(page, "Largest").getByRole("link");
    expect(await largest.first().textContent()).toContain("big.jpg");
    expect(await panel(page, "Recent").getByRole("link").first().textContent()).toContain(
      "small.txt",
    );
    expect(consoleErrors).toEqual([]);
  });

  test("explains missing traffic, and counts served and refused requests", async () => {
    const { page } = await show();
    await page.getByText("No traffic in the last 24 hours").waitFor();
    const url = `${fixture.server.url}/api/hosting/photos/big.jpg`;
    for (let times = 0; times < 3; times += 1) await (await fetch(url)).arrayBuffer();
    expect((await fetch(`${url}.missing`)).status).toBe(404);

    await page.reload();
    const traffic = panel(page, "Traffic");
    const bandwidth = traffic.getByRole("radio", { name: /^Bandwidth\s*9\.0 MB/ });
    await bandwidth.waitFor();
    await traffic.getByRole("radio", { name: /^Requests\s*4/ }).waitFor();
    await traffic.getByText("Errors (4xx, 5xx): 1").waitFor();

    await traffic.getByText("30 days").click();
    await page.waitForURL("**/overview?period=month");
    await traffic.getByText("Days in UTC.").waitFor();
    // There was no traffic before today, or before midnight. The chart begins then, at its left end.
    const slider = traffic.getByRole("slider", { name: /^Requests per day/ });
    expect(await slider.getAttribute("aria-valuemax")).toMatch(/^[12]$/);
    const [bars, chart] = [await slider.boundingBox(), await slider.locator("..").boundingBox()];
    expect(bars?.x).toBe(chart?.x);
    expect(bars?.width).toBeLessThan((chart?.width ?? 0) / 2);
    await traffic.getByText(/^No traffic in this period before \w+.*\d+.*\.$/).waitFor();
    await bandwidth.check();
    await traffic.getByRole("slider", { name: /^Bandwidth per day/ }).waitFor();
    // Its bars have no part for errors.
    expect(await traffic.getByText("Errors (4xx, 5xx)").count()).toBe(0);
    expect(await traffic.getByRole("slider").count()).toBe(1);
    await page.reload();
    await traffic.getByText("Days in UTC.").waitFor();
    await traffic.getByText("7 days").click();
    await page.waitForURL("**/overview?period=week");
  });

  test("has charts for mouse and keyboard, and a table", async () => {
    const { page } = await showWithRequestInThisHour();
    const slider = page.getByRole("slider", { name: /^Requests per hour/ });
    await slider.focus();
    await page.keyboard.press("End");
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/: [1-9]\d* requests?, /);
    await page.getByText("served", { exact: false }).first().waitFor();
    await page.keyboard.press("Home");
    expect(await slider.getAttribute("aria-valuenow")).toBe("1");
    expect(await slider.getAttribute("aria-valuetext")).toContain(": 0 requests, ");
    await page.keyboard.press("ArrowRight");
    expect(await slider.getAttribute("aria-valuenow")).toBe("2");

    await page.getByText("Traffic", { exact: true }).click();
    const box = await slider.boundingBox();
    if (box === null) throw new Error("The chart is not in view.");
    await slider.hover({ position: { x: box.width - 2, y: 40 } });
    await page
      .getByText(/^\d+ requests?$/)
      .first()
      .waitFor();

    await page.getByText("Show as table").click();
    const rows = page.getByRole("table", { name: "Traffic, newest first" }).getByRole("row");
    await rows.nth(24).waitFor();
    expect(await rows.count()).toBe(25);
  });
});

test("shows the API keys with the most requests", async () => {
  const { holdall } = fixture.seed;
  const url = fixture.server.url;
  const keys = await Promise.all(["quiet", "busy"].map((name) => holdall.keys.create(name)));
  for (const [index, { secret }] of keys.entries()) {
    const client = new Holdall({ url, apiKey: secret });
    for (let times = 0; times < 1 + 40 * index; times += 1)
      await client.files.get("x").catch(() => {});
  }
  const { page } = await show();
  const rows = panel(page, "Requests by API key").getByRole("listitem");
  const row = (name: string) => rows.filter({ has: page.getByRole("link", { name }) });
  expect(await row("busy").textContent()).toBe("busy41 errors41 requests");
  await row("quiet").getByText("1 request", { exact: true }).waitFor();
  await row("busy").getByRole("link").click();
  await page.waitForURL("**/activity?actor=*");
});

test("lists the most requested files, and errors by status", async () => {
  const own = await createBrowserFixture();
  const { page, consoleErrors } = await own.signedIn({ reducedMotion: true });
  await page.goto("/overview");
  await panel(page, "Most requested").getByText("No file has been requested.").waitFor();
  await panel(page, "Errors").getByText("No errors in the last 24 hours.").waitFor();

  const url = `${own.server.url}/api/hosting/files`;
  for (const count of [1, 2, 3, 4, 5, 6]) {
    await own.seed.file(`files/${count}.txt`, "x".repeat(1_000));
    for (let times = 0; times < count; times += 1)
      await (await fetch(`${url}/${count}.txt`)).text();
  }
  const beyond = { Range: "bytes=1000-" };
  for (const missing of ["a", "b", "c"]) await fetch(`${url}/${missing}`);
  expect((await fetch(`${url}/1.txt`, { headers: beyond })).status).toBe(416);

  await page.reload();
  const requested = panel(page, "Most requested");
  const rows = requested.getByRole("listitem");
  await rows.nth(4).waitFor();
  const row = (count: number) =>
    `${count}.txtfiles${count} request${count > 1 ? "s" : ""}${count}.0 KB`;
  expect(await rows.allTextContents()).toEqual([6, 5, 4, 3, 2].map(row));
  await requested.getByRole("button", { name: "More requested files" }).click();
  await rows.nth(5).waitFor();
  expect(await rows.last().textContent()).toBe(row(1));
  const errors = panel(page, "Errors").getByRole("listitem");
  expect(await errors.allTextContents()).toEqual([
    "404 Not found3 requests",
    "416 Range beyond the end1 request",
  ]);

  const aside = requested.getByText(/^Since/);
  const since = await aside.textContent();
  await panel(page, "Traffic").getByText("30 days").click();
  await panel(page, "Errors").getByText("Last 30 days").waitFor();
  expect(await aside.textContent()).not.toBe(since);
  expect(await rows.allTextContents()).toEqual([6, 5, 4, 3, 2, 1].map(row));
  await requested.getByRole("link", { name: "6.txt" }).click();
  await page.waitForURL("**/files/files?file=*");
  await page.getByRole("dialog", { name: "Preview of 6.txt" }).waitFor();
  expect(consoleErrors).toEqual([]);
  await own.discard();
});

test("compares the traffic with the time before", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.route("**/api/overview*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    for (const each of data.traffic) Object.assign(each, { requests: 10, bytes: 1_000 });
    data.previous = { requests: 200, bytes: 48_000, errors: 0 };
    await route.fulfill({ response, json: { data, error: null } });
  });
  await page.goto("/overview");
  const traffic = panel(page, "Traffic");
  const radio = (name: RegExp) => traffic.getByRole("radio", { name });
  await radio(/^Requests\s*240\s*20% more than the 24 hours before$/).waitFor();
  await radio(/^Bandwidth\s*24\.0 KB\s*50% less than the 24 hours before$/).waitFor();
  expect(await page.getByRole("slider").getAttribute("aria-valuemax")).toBe("24");
  const sparklines = traffic.getByRole("radiogroup").locator("polyline");
  const points = await sparklines.evaluateAll((lines) =>
    lines.map((line) => line.getAttribute("points")?.split(" ").length),
  );
  // The current hour is not over.
  expect(points).toEqual([23, 23]);
});

test("links files to their previews", async () => {
  const { page } = await show();
  await panel(page, "Recent").getByRole("link", { name: "small.txt" }).click();
  await page.waitForURL("**/files/notes?file=*");
  await page.getByRole("dialog", { name: "Preview of small.txt" }).getByText("Hello").waitFor();
});

test("lists five files each, with a link to all in the same order", async () => {
  for (const at of [1, 2, 3, 4, 5]) await fixture.seed.file(`sizes/${at}.bin`, "x".repeat(10 * at));
  const { page } = await show();
  const largest = panel(page, "Largest");
  await largest.getByRole("listitem").nth(4).waitFor();
  expect(await largest.getByRole("listitem").count()).toBe(5);
  await largest.getByRole("link", { name: "All files, largest first" }).click();
  await page.getByRole("heading", { name: "Search results" }).waitFor();
  const names = page.getByRole("grid").getByRole("link");
  await names.filter({ hasText: "1.bin" }).waitFor();
  const files = (await names.allTextContents()).filter((name) => name.includes("."));
  expect(files.slice(0, 3)).toEqual(["big.jpg", "5.bin", "4.bin"]);
});

test("TypeScript counts as text, not as a video", async () => {
  await fixture.seed.file("source/app.ts", "export {};");
  const { page } = await show();
  const kinds = panel(page, "By type").getByRole("listitem");
  await kinds.filter({ hasText: /^Text and code2 files/ }).waitFor();
  expect(await kinds.filter({ hasText: "Videos" }).count()).toBe(0);
});

test("an empty instance shows how to start", async () => {
  const empty = await createBrowserFixture();
  const { page, consoleErrors } = await empty.signedIn({ reducedMotion: true });
  await page.goto("/overview");
  await page.getByRole("link", { name: "Upload your first file" }).click();
  await page.waitForURL("**/files");
  expect(consoleErrors).toEqual([]);
  await empty.discard();
});

test("offers a retry if the overview cannot be loaded", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await failWith500("**/api/overview*")(page);
  await page.goto("/overview");
  await page.getByText("Couldn't load the overview").waitFor();
  await page.unroute("**/api/overview*");
  await page.getByRole("button", { name: "Try again" }).click();
  await panel(page, "Storage").waitFor();
});
