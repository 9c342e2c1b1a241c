import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Device } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

interface ShowOptions {
  readonly device?: Device;
  readonly width?: number;
  readonly view?: "list" | "grid";
}

async function show(folder: string, files: readonly string[], options: ShowOptions = {}) {
  const { view = "list", ...rest } = options;
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true, ...rest });
  await page.goto(`/files/${folder}?sort=name&dir=asc&view=${view}`);
  await page.getByRole("grid").waitFor();
  return page;
}

const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
const tile = (page: Page, name: string) =>
  page.getByRole("gridcell").filter({ has: page.getByText(name, { exact: true }) });
const heightOf = async (locator: Locator) => (await locator.boundingBox())?.height;
const styleOf = (locator: Locator, property: string) =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

async function boundsOf(locator: Locator) {
  const bounds = await locator.boundingBox();
  if (bounds === null) throw new Error("The element is not in view.");
  return bounds;
}
type Bounds = Awaited<ReturnType<typeof boundsOf>>;
const doOverlap = (one: Bounds, other: Bounds): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** How visible an element is, together with what it is in. */
const opacityOf = (locator: Locator) =>
  locator.evaluate((element) => {
    let opacity = 1;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
    }
    return opacity;
  });
const waitForOpacity = (locator: Locator, opacity: number) =>
  eventually(`the opacity is ${opacity}`, async () => (await opacityOf(locator)) === opacity);

/** The number of tiles in the first row. */
async function columns(page: Page): Promise<number> {
  const tops = await page
    .getByRole("gridcell")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  return tops.filter((top) => top === tops[0]).length;
}

describe("rows of the list", () => {
  test("are 36 pixels high, and show their checkbox under the mouse, the keyboard or a selection", async () => {
    const page = await show("rows", ["a.txt", "b.txt", "sub/c.txt"]);
    expect(await heightOf(row(page, "a.txt"))).toBe(36);
    const [a, b] = [box(page, "a.txt"), box(page, "b.txt")];
    await page.mouse.move(0, 0);
    await waitForOpacity(a, 0);
    await row(page, "a.txt").hover();
    await waitForOpacity(a, 1);
    expect(await opacityOf(b)).toBe(0);
    await page.mouse.move(0, 0);
    await waitForOpacity(a, 0);

    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+ArrowDown");
    await waitForOpacity(a, 1);
    expect(await opacityOf(b)).toBe(0);
    await page.keyboard.press("Space");
    await waitForOpacity(b, 1);
  });

  test("are 44 pixels high or more for fingers, and always have a checkbox", async () => {
    for (const width of [390, 1280]) {
      const page = await show(`fingers ${width}`, ["a.txt"], { device: "phone", width });
      expect(await heightOf(row(page, "a.txt"))).toBeGreaterThanOrEqual(44);
      expect(await opacityOf(box(page, "a.txt"))).toBe(1);
    }
  });

  test("open with a click on the name, which says so, and select with a click beside it", async () => {
    const page = await show("clicks", ["a.txt", "b.txt"]);
    const link = row(page, "a.txt").getByRole("link", { name: "a.txt" });
    const before = await styleOf(link, "color");
    await link.hover();
    await eventually("the name looks like a link", async () => {
      const decoration = await styleOf(link, "text-decoration-line");
      return decoration === "underline" && (await styleOf(link, "color")) !== before;
    });
    const end = await link.boundingBox();
    if (end === null) throw new Error("The name is not in view.");
    const beside = { x: end.x + end.width + 5, y: end.y + end.height / 2 };
    await page.mouse.click(beside.x, beside.y);
    await page.getByText("1 selected").first().waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.mouse.dblclick(beside.x, beside.y);
    await page.getByRole("dialog", { name: "Preview of a.txt" }).waitFor();
    await page.keyboard.press("Escape");
    await link.click();
    await page.getByRole("dialog", { name: "Preview of a.txt" }).waitFor();
  });

  test("move within 150 ms, and at once for those who want less motion", async () => {
    for (const [reducedMotion, longest] of [
      [false, 0.15],
      [true, 0],
    ] as const) {
      await fixture.seed.file(`motion ${reducedMotion}/a.txt`);
      const { page } = await fixture.signedIn({ reducedMotion });
      await page.goto(`/files/motion ${reducedMotion}?view=list`);
      const durations = await styleOf(row(page, "a.txt"), "transition-duration");
      expect(Math.max(...durations.split(",").map(Number.parseFloat))).toBe(longest);
    }
  });

  test("and their toolbars have targets of 44 pixels for fingers", async () => {
    const page = await show("targets", ["a.txt"], { device: "phone", width: 390 });
    const targets = [
      page.getByRole("button", { name: "Upload" }),
      page.getByRole("button", { name: "Show folder tree" }),
      page.getByRole("button", { name: "More actions for a.txt" }),
      page.getByRole("searchbox"),
      page.getByRole("combobox", { name: "Sort by" }),
      page.getByRole("radio", { name: "Grid" }),
    ];
    for (const target of targets) {
      const heights = await target.evaluate((element) => [
        element.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(element, "::before").height) || 0,
      ]);
      expect(Math.max(...heights)).toBeGreaterThanOrEqual(44);
    }
  });

  test("have icons of filled sheets, with glyphs that tell apart files of one kind", async () => {
    const page = await show("sheets", ["a.pdf", "b.docx", "c.xlsx"]);
    const sheet = (name: string) => row(page, name).locator("svg path[fill=currentColor]");
    const kind = await styleOf(sheet("a.pdf"), "fill");
    expect(await styleOf(sheet("c.xlsx"), "fill")).toBe(kind);
    const glyphs = await Promise.all(
      ["a.pdf", "b.docx", "c.xlsx"].map((name) =>
        sheet(name).locator("xpath=following-sibling::*[last()]").getAttribute("d"),
      ),
    );
    expect(new Set(glyphs).size).toBe(3);
  });

  test("have folders in a heavier weight than files", async () => {
    const page = await show("weights", ["a.txt", "sub/b.txt"]);
    const weightOf = (name: string) =>
      styleOf(row(page, name).getByRole("link", { name, exact: true }), "font-weight");
    expect([await weightOf("a.txt"), await weightOf("sub")]).toEqual(["400", "500"]);
  });

  test("say how long ago something changed, then the day and the time", async () => {
    await fixture.seed.file("times/now.txt");
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.route("**/api/folders?*", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const [file] = json.data.files;
      const at = (ago: number) =>
        new Date(Date.now() - ago).toISOString().slice(0, 19).replace("T", " ");
      json.data.files = [
        { ...file, id: "a", name: "minutes.txt", updatedAt: at(5 * 60_000 + 20_000) },
        { ...file, id: "b", name: "year.txt", updatedAt: "2019-03-04 01:25:00" },
      ];
      await route.fulfill({ response, json });
    });
    await page.goto("/files/times?sort=name&dir=asc&view=list");
    await row(page, "minutes.txt").getByText("5 min ago", { exact: true }).last().waitFor();
    await row(page, "year.txt").getByText("4 Mar 2019", { exact: true }).last().waitFor();
  });
});

describe("drop targets, selected entries and the current folder", () => {
  test.each(["list", "grid"] as const)("looks different in the %s", async (view) => {
    const folder = `marks ${view}`;
    const page = await show(folder, ["a.txt", "into/b.txt", "other/c.txt"], { view });
    const at = (name: string) => (view === "list" ? row(page, name) : tile(page, name));
    await at("other").click({ position: { x: 4, y: 30 } });
    await at("a.txt").hover();
    await page.mouse.down();
    await at("into").hover({ position: { x: 60, y: 20 } });
    await at("into").hover({ position: { x: 64, y: 22 } });
    const looks = async (locator: Locator) => [
      await styleOf(locator, "outline-style"),
      await styleOf(locator, "background-color"),
    ];
    await eventually(
      "the folder is marked",
      async () => (await styleOf(at("into"), "outline-style")) === "dashed",
    );
    const selected = await looks(at("a.txt"));
    expect(selected[0]).not.toBe("dashed");
    expect((await looks(at("into")))[1]).not.toBe(selected[1] ?? "");

    const current = page.getByRole("treeitem", { name: folder, exact: true });
    const [currentStyle, currentFill] = await looks(current);
    expect(currentStyle).not.toBe("dashed");
    expect(currentFill).toBe("rgba(0, 0, 0, 0)");
    await page.mouse.move(700, 780);
    await page.mouse.up();
  });
});

describe("tiles", () => {
  test("have three sizes, of which the last one is remembered", async () => {
    const names = Array.from({ length: 14 }, (_, at) => `${at}.bin`);
    const page = await show("sizes", names, { view: "grid" });
    const medium = await columns(page);
    await page.getByRole("radio", { name: "Large" }).check();
    await eventually("there are fewer columns", async () => (await columns(page)) < medium);
    await page.getByRole("radio", { name: "Small" }).check();
    await eventually("there are more columns", async () => (await columns(page)) > medium);
    const small = await columns(page);
    await page.reload();
    await tile(page, "0.bin").waitFor();
    expect(await columns(page)).toBe(small);
    expect(await page.getByRole("radio", { name: "Small" }).isChecked()).toBe(true);
  });

  test("say whether a file is public or private, in an icon if they are small", async () => {
    await fixture.seed.file("icons/open.bin");
    await fixture.seed.file("icons/closed.bin", "x", "private");
    const page = await show("icons", ["sub/a.bin"], { view: "grid" });
    const closed = tile(page, "closed.bin").getByText("Private");
    expect((await closed.boundingBox())?.width).toBeGreaterThan(20);
    await page.getByRole("radio", { name: "Small" }).check();
    await eventually("the word is hidden", async () => {
      return ((await closed.boundingBox())?.width ?? 20) < 2;
    });
    await tile(page, "open.bin").getByText("Public").waitFor();
    await closed.locator("..").locator("svg").waitFor();
    expect(await tile(page, "sub").getByText("1 file").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test("show names and their menus on a phone, also if they are small", async () => {
    await fixture.seed.file("brief/photos/harbour-1.bin");
    const { page } = await fixture.signedIn({ reducedMotion: true, device: "phone", width: 390 });
    await page.addInitScript(() => localStorage.setItem("holdall-tile-size", "s"));
    await page.goto("/files/brief/photos?view=grid");
    const name = tile(page, "harbour-1.bin").getByRole("link");
    await name.waitFor();
    expect((await name.boundingBox())?.width).toBeGreaterThan(80);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "More actions for harbour-1.bin" }).tap();
    await page.getByRole("menu").waitFor();
  });

  test("keep the length of a film and their menu apart on a phone", async () => {
    await fixture.seed.file("short films/tour.mp4", createWav(7));
    const { page } = await fixture.signedIn({ reducedMotion: true, device: "phone", width: 390 });
    await page.addInitScript(() => localStorage.setItem("holdall-tile-size", "s"));
    await page.goto("/files/short films?view=grid");
    const length = await boundsOf(tile(page, "tour.mp4").getByText("0:07"));
    const menu = await boundsOf(page.getByRole("button", { name: "More actions for tour.mp4" }));
    const select = await boundsOf(box(page, "tour.mp4"));
    expect([menu, select].some((other) => doOverlap(length, other))).toBe(false);
  });

  test("of films say how long they are", async () => {
    // Sound is enough of a film: browsers look at the content, not at its name.
    await fixture.seed.file("films/tour.mp4", createWav(7));
    const page = await show("films", [], { view: "grid" });
    await tile(page, "tour.mp4").getByText("0:07").waitFor();
  });

  test("show their checkbox on a plate", async () => {
    const page = await show("plates", ["a.bin"], { view: "grid" });
    await tile(page, "a.bin").hover();
    await waitForOpacity(box(page, "a.bin"), 1);
    await box(page, "a.bin").check();
    await page.getByText("1 selected").first().waitFor();
  });
});

describe("on a tablet", () => {
  const open = async (folder: string) => {
    const names = Array.from({ length: 6 }, (_, at) => `${at}.bin`);
    return show(folder, [...names, "deep/er/x.bin"], { view: "grid", width: 768 });
  };

  test("the sidebar has icons only, with names, and the grid has three columns", async () => {
    const page = await open("tablet");
    const navigation = page.getByRole("navigation", { name: "Main" });
    expect((await navigation.boundingBox())?.width).toBeLessThan(60);
    expect(await columns(page)).toBeGreaterThanOrEqual(3);
    await navigation.getByRole("link", { name: "Trash" }).hover();
    await page.locator(":popover-open").getByText("Trash").waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await eventually(
      "the sidebar is wide again",
      async () => ((await navigation.boundingBox())?.width ?? 0) > 180,
    );
  });

  test.each([390, 768, 1024])("at %d px, the tree of folders opens in a drawer", async (width) => {
    const page = await open(`drawer ${width}`);
    await page.setViewportSize({ width, height: 800 });
    const button = page.getByRole("button", { name: "Show folder tree" });
    await button.click();
    const drawer = page.getByRole("dialog", { name: "Folders" });
    const current = drawer.getByRole("treeitem", { name: `drawer ${width}`, exact: true });
    await current.waitFor();
    expect(await axeViolations(page, "dialog", "all")).toEqual([]);
    await drawer.getByRole("treeitem", { name: "deep", exact: true }).click();
    await tile(page, "er").waitFor();
    await drawer.waitFor({ state: "detached" });
    await button.click();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });
});

describe("the title and the toolbar of a folder", () => {
  const middle = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };

  test("share a line where they fit, above the details", async () => {
    const page = await show("one line/deep/er/and/deeper", ["a.txt"], { width: 1700 });
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

  test.each(["brief/photos", "mixed"])(
    "show the name of %s uncut on a phone, without the word for its visibility",
    async (folder) => {
      const page = await show(folder, ["a.txt"], { device: "phone", width: 390 });
      await page.getByRole("button", { name: /: visibility of new files here$/ }).waitFor();
      const title = page.getByRole("heading", { level: 1 }).locator("bdi");
      expect(await title.textContent()).toBe(folder.split("/").at(-1) ?? "");
      expect(await title.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false);
    },
  );

  test("show the name of a deep folder on a phone", async () => {
    const folder = "shelf/case/drawer/box/envelope";
    const page = await show(folder, ["a.txt"], { device: "phone", width: 390 });
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
  expect(await heightOf(event)).toBe(36);
});
