import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { boxOf, show, styleOf } from "./look.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

describe("the title and the toolbar of a folder", () => {
  const middle = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };

  test("share a line where they fit, above the details", async () => {
    const page = await show(fixture, "one line/deep/er/and/deeper", ["a.txt"], { width: 1700 });
    const parts = [
      page.getByRole("heading", { name: "deeper", level: 1 }),
      page.getByRole("searchbox"),
      page.getByRole("radiogroup", { name: "Layout" }),
    ];
    const areInLine = async () => {
      const [first = 0, ...others] = await Promise.all(parts.map(middle));
      return others.every((each) => Math.abs(each - first) < 8);
    };
    await eventually("they share a line", areInLine);
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("button", { name: "Details", exact: true }).click();
    const details = page.getByRole("complementary", { name: "Details" });
    await details.waitFor();
    const filters = page.getByRole("group", { name: "Search filters" });
    await eventually("the details begin below the filters", async () => {
      const [above, below] = [await filters.boundingBox(), await details.boundingBox()];
      return above !== null && below !== null && below.y === above.y + above.height;
    });
    await row(page, "a.txt").click();
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    await eventually("they still share a line", areInLine);

    await page.setViewportSize({ width: 1280, height: 800 });
    await eventually("they have lines of their own", async () => !(await areInLine()));
  });

  test.each([1024, 1366, 1440, 1920])(
    "say in words what a selection offers at %d px",
    async (width) => {
      const page = await show(fixture, `words ${width}`, ["a.txt"], { width });
      await row(page, "a.txt").click();
      const bar = page.getByRole("toolbar", { name: "Selection" });
      for (const words of ["Share…", "Download", "Move to…"]) {
        await bar.getByText(words, { exact: true }).waitFor();
      }
      expect(await bar.locator("[data-label]:visible").count()).toBe(3);
      expect(await bar.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await bar.getByRole("button", { name: "More for the selection" }).click();
      const menu = page.getByRole("menu", { name: "More for the selection" });
      await menu.getByRole("menuitem", { name: "Visibility…" }).waitFor();
      expect(await menu.locator(".lucide-eye").count()).toBe(0);
    },
  );

  test.each(["brief/photos", "mixed"])(
    "show the name of %s uncut on a phone, without the word for its visibility",
    async (folder) => {
      const page = await show(fixture, folder, ["a.txt"], { device: "phone", width: 390 });
      await page.getByRole("button", { name: /^New files: / }).waitFor();
      const title = page.getByRole("heading", { level: 1 }).locator("bdi");
      expect(await title.textContent()).toBe(folder.split("/").at(-1) ?? "");
      expect(await title.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false);
    },
  );

  test("show the name of the folder alone on a narrow phone", async () => {
    const page = await show(fixture, "narrow/harbour", ["a.txt"], { device: "phone", width: 320 });
    await page.getByRole("button", { name: /^New files: / }).waitFor();
    const title = page.getByRole("heading", { level: 1 }).locator("bdi");
    expect(await title.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false);
    expect(await page.getByRole("link", { name: "narrow", exact: true }).isVisible()).toBe(false);
  });

  test("show the name of a deep folder on a phone", async () => {
    const folder = "shelf/case/drawer/box/envelope";
    const page = await show(fixture, folder, ["a.txt"], { device: "phone", width: 390 });
    const title = page.getByRole("heading", { name: "envelope", level: 1 });
    expect((await title.boundingBox())?.width).toBeGreaterThan(60);
    await page.getByRole("link", { name: "box" }).tap();
    await page.waitForURL(/\/box/);
  });
});

test("activity has a line of 36 pixels for an event", async () => {
  await fixture.seed.file("lines/a.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/activity");
  const event = page.getByRole("listitem").filter({ hasText: "a.txt" }).first();
  await event.waitFor();
  expect((await boxOf(event)).height).toBe(36);
});

describe("the overview", () => {
  const NAMES = ["a.jpg", "b.mp4", "c.mp3", "d.pdf", "e.zip", "f.ts", "g.bin"];

  test("has cards that are raised, and no hole in that of the storage", async () => {
    for (const name of NAMES) await fixture.seed.file(`kinds/${name}`);
    const { page } = await fixture.signedIn({ reducedMotion: true, width: 1440 });
    await page.goto("/overview");
    const storage = page.getByRole("region", { name: "Storage" });
    const byType = page.getByRole("region", { name: "By type" });
    await byType
      .getByRole("listitem")
      .nth(NAMES.length - 1)
      .waitFor();
    expect(await styleOf(storage.locator("> div"), "box-shadow")).not.toBe("none");

    const card = await boxOf(storage);
    expect(card.y).toBe((await boxOf(byType)).y);
    const parts = await storage.locator("h2, strong, [role=meter], dt").evaluateAll((all) =>
      all.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return { top, bottom };
      }),
    );
    const ends = [card.y, ...parts.map(({ bottom }) => bottom)];
    const starts = [...parts.map(({ top }) => top), card.bottom];
    const gaps = starts.map((start, at) => start - (ends[at] ?? 0));
    // The card is as high as its figures, also beside a higher one.
    expect(Math.max(...gaps)).toBeLessThan(50);
  });
});

test("fields that filter or order have a softer border than those of forms", async () => {
  const page = await show(fixture, "soft", ["a.txt"]);
  await page.getByRole("button", { name: "Filter" }).click();
  const border = (locator: Locator) => styleOf(locator, "border-top-color");
  const filters = ["Sort by", "Type", "Modified", "Size", "Visibility"].map((name) =>
    page.getByRole("combobox", { name, exact: true }),
  );
  const soft = await Promise.all(filters.map(border));
  expect(new Set(soft)).toEqual(new Set(["rgb(214, 214, 210)"]));
  await page.getByRole("button", { name: "New folder" }).click();
  const field = page.getByRole("dialog").getByRole("textbox");
  expect(await border(field)).toBe("rgb(139, 141, 146)");
});

test("dialogs have two widths", async () => {
  const page = await show(fixture, "widths", ["a.txt", "sub/b.txt"]);
  const dialog = page.getByRole("dialog");
  const widthAfter = async (open: () => Promise<unknown>) => {
    await open();
    // Without the animation that opens it.
    const width = await dialog.evaluate((element: HTMLElement) => element.offsetWidth);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return width;
  };
  const fromMenu = (name: string) => async () => {
    await row(page, "a.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name }).click();
  };
  const press = (name: string) => () => page.getByRole("button", { name, exact: true }).click();
  const narrow = [
    await widthAfter(press("New folder")),
    await widthAfter(() => page.getByRole("button", { name: /^New files: / }).click()),
    await widthAfter(fromMenu("Move to…")),
    await widthAfter(fromMenu("Copy to…")),
  ];
  const wide = [
    await widthAfter(fromMenu("Share…")),
    await widthAfter(async () => {
      await fromMenu("Details")();
      await press("Edit headers…")();
    }),
    await widthAfter(() => page.keyboard.press("?")),
  ];
  expect([...new Set(narrow), ...new Set(wide)]).toEqual([440, 672]);
});

test("the list is raised above its toolbar, and an empty folder has a tinted sign", async () => {
  await fixture.seed.holdall.folders.create("nothing here");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/nothing here");
  const title = page.getByRole("heading", { name: "This folder is empty" });
  await title.waitFor();
  const sign = title.locator("xpath=preceding-sibling::span");
  expect(await styleOf(sign, "background-color")).toBe("rgb(228, 243, 240)");
  expect(await styleOf(sign, "box-shadow")).not.toBe("none");
  const list = page.getByRole("main").locator("> div", { has: title });
  expect(await styleOf(list, "box-shadow")).toMatch(/0px -1px 4px/);
  expect(await styleOf(list, "background-color")).not.toBe(
    await styleOf(page.getByRole("main").locator("> div").first(), "background-color"),
  );
});
