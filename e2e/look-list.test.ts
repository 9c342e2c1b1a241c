import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { boxOf, checkboxOf, opacityOf, show, styleOf, tile, waitForOpacity } from "./look.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

describe("rows of the list", () => {
  test("are 36 pixels high, and show their checkbox under the mouse, the keyboard or a selection", async () => {
    const page = await show(fixture, "rows", ["a.txt", "b.txt", "sub/c.txt"]);
    expect((await boxOf(row(page, "a.txt"))).height).toBe(36);
    const [a, b] = [checkboxOf(page, "a.txt"), checkboxOf(page, "b.txt")];
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
      const page = await show(fixture, `fingers ${width}`, ["a.txt"], { device: "phone", width });
      expect((await boxOf(row(page, "a.txt"))).height).toBeGreaterThanOrEqual(44);
      expect(await opacityOf(checkboxOf(page, "a.txt"))).toBe(1);
    }
  });

  test("open with a click on the name, which says so, and select with a click beside it", async () => {
    const page = await show(fixture, "clicks", ["a.txt", "b.txt"]);
    const link = row(page, "a.txt").getByRole("link", { name: "a.txt" });
    const before = await styleOf(link, "color");
    await link.hover();
    await eventually("the name looks like a link", async () => {
      const decoration = await styleOf(link, "text-decoration-line");
      return decoration === "underline" && (await styleOf(link, "color")) !== before;
    });
    const { right, y, height } = await boxOf(link);
    const beside = { x: right + 5, y: y + height / 2 };
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
    const page = await show(fixture, "targets", ["a.txt"], { device: "phone", width: 390 });
    const targets = [
      page.getByRole("button", { name: "Upload" }),
      page.getByRole("button", { name: "Show folder tree" }),
      page.getByRole("button", { name: "More actions for a.txt" }),
      page.locator("search label"),
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
    const page = await show(fixture, "sheets", ["a.pdf", "b.docx", "c.xlsx"]);
    const sheet = (name: string) => row(page, name).locator("svg path[fill=currentColor]");
    const kind = await styleOf(sheet("b.docx"), "fill");
    expect(await styleOf(sheet("c.xlsx"), "fill")).toBe(kind);
    expect(await styleOf(sheet("a.pdf"), "fill")).not.toBe(kind);
    const glyphs = await Promise.all(
      ["a.pdf", "b.docx", "c.xlsx"].map((name) =>
        sheet(name).locator("xpath=following-sibling::*[last()]").getAttribute("d"),
      ),
    );
    expect(new Set(glyphs).size).toBe(3);
  });

  test("have folders in a heavier weight than files", async () => {
    const page = await show(fixture, "weights", ["a.txt", "sub/b.txt"]);
    const weightOf = (name: string) =>
      styleOf(row(page, name).getByRole("link", { name, exact: true }), "font-weight");
    expect([await weightOf("a.txt"), await weightOf("sub")]).toEqual(["400", "500"]);
  });

  test("say how long ago something changed, then the time, and the day with the time", async () => {
    await fixture.seed.file("times/now.txt");
    const { page } = await fixture.signedIn({ reducedMotion: true, locale: "en-US" });
    await page.clock.setFixedTime("2026-11-05T12:00:00Z");
    const times = {
      "minutes.txt": "2026-11-05 11:54:40",
      "today.txt": "2026-11-05 01:25:00",
      "spring.txt": "2026-03-03 01:25:00",
      "year.txt": "2019-03-04 01:25:00",
    };
    await page.route("**/api/folders?*", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const [file] = json.data.files;
      json.data.files = Object.entries(times).map(([name, updatedAt]) => ({
        ...file,
        id: name,
        name,
        updatedAt,
      }));
      await route.fulfill({ response, json });
    });
    await page.goto("/files/times?sort=name&dir=asc&view=list");
    const shown = (name: string, text: string | RegExp) =>
      row(page, name).getByText(text, { exact: true }).last().waitFor();
    await shown("minutes.txt", "5 min ago");
    await shown("today.txt", /^1:25\sAM$/);
    await shown("spring.txt", /^Mar 3, 1:25\sAM$/);
    await shown("year.txt", "Mar 4, 2019");
  });

  test("have no gap behind the ellipsis of a name that is cut at a space", async () => {
    const name = `${"a photo for use in the next ".repeat(8)} edition`;
    const page = await show(fixture, "gaps", [name]);
    const cell = page.getByTitle(name, { exact: true });
    const { isSeen, gap, tail } = await cell.evaluate((element) => {
      const pieces = element.querySelector<HTMLElement>("[data-tail]");
      if (pieces === null) throw new Error("The name has no two parts.");
      const width = (pseudo: string) => Number.parseFloat(getComputedStyle(pieces, pseudo).width);
      const [outer, inner] = [element, pieces].map((each) => each.getBoundingClientRect());
      return {
        isSeen: Math.abs((outer?.top ?? 0) - (inner?.top ?? 99)) < 1,
        gap: (inner?.width ?? 0) - width("::before") - width("::after"),
        tail: pieces.dataset.tail,
      };
    });
    expect(isSeen).toBe(true);
    expect(Math.abs(gap)).toBeLessThan(1);
    expect(tail).toBe("edition");
  });

  test("are one text each, which is seen if it fits", async () => {
    const [short, long] = ["quarterly-report-2026.pdf", `${"long ".repeat(45)}name.pdf`];
    const page = await show(fixture, "whole names", [short, long]);
    for (const name of [short, long]) {
      const cell = page.getByTitle(name, { exact: true });
      const { texts, isSeen } = await cell.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const texts: string[] = [];
        while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? "");
        const text = element.querySelector("bdi")?.getBoundingClientRect();
        return {
          texts,
          isSeen: Math.abs((text?.top ?? -99) - element.getBoundingClientRect().top) < 1,
        };
      });
      expect(texts).toEqual([name]);
      expect(isSeen).toBe(name === short);
    }
    expect(await row(page, short).getByRole("link").ariaSnapshot()).toContain(short);
  });

  test("keep size and time near the names on a very wide screen", async () => {
    const page = await show(fixture, "wide", ["a.txt"], { width: 2560 });
    const cells = row(page, "a.txt").getByRole("gridcell");
    const [name, type, size, time] = await Promise.all(
      [1, 2, 3, 4].map((at) => boxOf(cells.nth(at))),
    );
    expect(name?.width).toBe(736);
    expect((type?.x ?? 0) - (name?.right ?? 0)).toBe(24);
    expect((time?.right ?? 0) - (name?.right ?? 0)).toBeLessThan(500);
    expect(size?.width).toBe(96);
  });
});

describe("drop targets, selected entries and the current folder", () => {
  test.each(["list", "grid"] as const)("looks different in the %s", async (view) => {
    const folder = `marks ${view}`;
    const page = await show(fixture, folder, ["a.txt", "into/b.txt", "other/c.txt"], { view });
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
