import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { holdRequests } from "./hold-requests.ts";
import { pixelColors } from "./pixel-colors.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { paste } from "./steps.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const isPartlyDone = (bar: Locator) =>
  eventually("it is partly done", async () => {
    const value = Number(await bar.getAttribute("value"));
    return value > 0.3 && value < 0.7;
  });

test("a page that could not be loaded shows itself when the connection is back", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files");
  await page.getByRole("link", { name: "Activity" }).waitFor();
  await page.route("**", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByText("Couldn't show this page").waitFor();
  await page.getByText("Can't reach the server").waitFor();
  await page.unroute("**");
  await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
  expect(await page.getByText("Couldn't show this page").count()).toBe(0);
});

describe("too many requests", () => {
  test.each([
    ["/files", "**/api/folders*", "Files"],
    ["/settings/uploads", "**/api/settings", "Settings"],
    ["/activity", "**/api/activity*", "Activity"],
  ])("are explained on %s, which continues by itself", async (path, url, heading) => {
    const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [429] });
    let asked = 0;
    await page.route(url, async (route) => {
      asked += 1;
      if (asked > 2) return route.fallback();
      const json = { data: null, error: { message: "Too many requests. Try again in 3 s." } };
      await route.fulfill({ status: 429, headers: { "Retry-After": "3" }, json });
    });
    await page.goto(path);
    const banner = page.getByRole("status").filter({ hasText: "Too many requests right now." });
    await banner.getByText(/^Continuing in [1-3] s\.$/).waitFor();
    expect(await page.locator(".animate-breathe").count()).toBe(0);
    await eventually("the page asks again", () => asked > 2);
    await banner.getByText("Too many requests").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });
});

test("the documentation opens in a new tab", async () => {
  const { page, context } = await fixture.signedIn();
  await page.goto("/files");
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: /^Documentation/ }).click();
  const reference = await opened;
  await reference.waitForURL("**/docs");
  expect(new URL(page.url()).pathname).toBe("/files");
  await reference.close();
});

describe("with forced colors", () => {
  const background = (element: Locator) =>
    element.evaluate((node) => getComputedStyle(node).backgroundColor);

  async function show(path: string): Promise<Page> {
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(path);
    return page;
  }

  test("selected rows, ticked boxes, the current page and segments differ from the others", async () => {
    for (const name of ["a.txt", "b.txt"]) await fixture.seed.file(`forced/${name}`);
    const page = await show("/files/forced");
    const row = (name: string) => page.getByRole("row", { name });
    const box = (name: string) =>
      row(name).getByRole("checkbox").locator("xpath=following::span[1]");
    await row("a.txt").getByRole("checkbox").click();
    await page.getByText("1 selected").first().waitFor();
    expect(await background(row("a.txt"))).not.toBe(await background(row("b.txt")));
    expect(await background(box("a.txt"))).not.toBe(await background(box("b.txt")));
    const link = (name: string) => page.getByRole("navigation", { name: "Main" }).getByText(name);
    expect(await background(link("Files"))).not.toBe(await background(link("Overview")));
    await page.getByRole("button", { name: "Clear selection" }).click();
    const segment = (name: string) =>
      page.getByRole("radio", { name, exact: true }).locator("xpath=..");
    expect(await background(segment("List"))).not.toBe(await background(segment("Grid")));
  });

  test("the icons of files have a glyph that differs from their sheet, also in selected rows", async () => {
    for (const name of ["a.pdf", "b.pdf"]) await fixture.seed.file(`forced icons/${name}`);
    const page = await show("/files/forced icons?view=list");
    await page.getByRole("row", { name: "a.pdf" }).getByRole("checkbox").click();
    await page.getByText("1 selected").first().waitFor();
    for (const name of ["a.pdf", "b.pdf"]) {
      const icon = page.getByRole("row", { name }).locator("svg:has(path[fill=currentColor])");
      const colors = await icon.evaluate((svg) => {
        const [sheet, ...glyph] = [...svg.querySelectorAll("path")];
        return [
          sheet && getComputedStyle(sheet).fill,
          ...glyph.map((path) => getComputedStyle(path).stroke),
        ];
      });
      expect(colors.length).toBe(3);
      expect(colors.slice(1)).not.toContain(colors[0]);
    }
  });

  test("bars differ from their track", async () => {
    await fixture.seed.file("forced/bar.jpg", new Uint8Array(1_000));
    const page = await show("/overview");
    const meter = page.getByRole("meter", { name: "Storage used" });
    await meter.waitFor();
    expect(await background(meter.locator("div"))).not.toBe(await background(meter));
    const kind = page.getByRole("region", { name: "By type" }).getByRole("listitem").first();
    expect(await background(kind.locator("div > div"))).not.toBe(
      await background(kind.locator("> div")),
    );
  });

  test("bars of the traffic and their legends differ from the page, and errors from the rest", async () => {
    await fixture.seed.file("forced/chart.txt");
    const url = `${fixture.server.url}/api/hosting/forced/chart.txt`;
    await (await fetch(url)).text();
    await (await fetch(`${url}.missing`)).text();
    const page = await show("/overview");
    const traffic = page.getByRole("region", { name: "Traffic" });
    const slider = traffic.getByRole("slider");
    await slider.waitFor();
    const columns = await slider.locator("xpath=preceding-sibling::div/div").evaluateAll((all) =>
      all.map((column) =>
        [...column.children].map((part) => ({
          height: part.getBoundingClientRect().height,
          color: getComputedStyle(part).backgroundColor,
        })),
      ),
    );
    const [served, failed] = columns.find((parts) => parts.every(({ height }) => height > 1)) ?? [];
    const ground = await background(page.locator("body"));
    expect(new Set([served?.color, failed?.color, ground]).size).toBe(3);
    const legend = (text: string | RegExp) => background(traffic.getByText(text).locator("> span"));
    expect(await legend("Successful")).toBe(served?.color ?? "");
    expect(await legend(/^Errors/)).toBe(failed?.color ?? "");
  });

  test("the progress of uploads and operations differs from its track", async () => {
    for (const name of ["a.txt", "shelf/b.txt", "into/c.txt"]) {
      await fixture.seed.file(`forced progress/${name}`);
    }
    const page = await show("/files/forced progress?view=list");
    const large = await holdRequests(page, "**/api/uploads", () => true);
    const folders = await holdRequests(
      page,
      "**/api/folders",
      (request) => request.method() === "PUT",
    );
    await paste({ "small.bin": 8_000_000, "large.bin": 9_000_000 })(page);
    const uploading = page.getByRole("progressbar", { name: "Total progress" });
    await large.until(1);
    await isPartlyDone(uploading);

    await page.getByRole("row", { name: "a.txt" }).getByRole("checkbox").check();
    await page.getByRole("row", { name: "shelf" }).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Move to…" }).click();
    await page.getByRole("dialog").getByRole("treeitem", { name: "into", exact: true }).click();
    await page.getByRole("button", { name: "Move here" }).click();
    const moving = page.getByRole("progressbar", { name: /^Moving 2 items/ });
    await isPartlyDone(moving);

    for (const bar of [uploading, moving]) {
      const [done, left] = await pixelColors(bar, [
        [0.2, 0.5],
        [0.8, 0.5],
      ]);
      expect(done).not.toEqual(left ?? [0, 0, 0]);
      expect(await bar.evaluate((node) => getComputedStyle(node).borderTopWidth)).toBe("1px");
    }
    await large.release();
    await folders.release();
    await page.getByText("Moved 2 items to “into”.").first().waitFor();
  });
});
