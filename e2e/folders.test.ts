import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const inTree = (page: Page, name: string) =>
  page.getByRole("complementary", { name: "Folders" }).getByRole("treeitem", { name, exact: true });

async function show(folder: string, files: readonly string[]) {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`, name);
  const visit = await fixture.signedIn({ reducedMotion: true });
  await visit.page.goto(`/files/${folder}`);
  await visit.page.getByRole("grid").waitFor();
  return visit;
}

test("the tree and the breadcrumbs open folders and accept drops", async () => {
  const { page, consoleErrors } = await show("tree", ["a.txt", "from/b.txt", "to/deep/c.txt"]);
  await inTree(page, "to").click();
  await page.waitForURL("**/files/tree/to");
  await inTree(page, "deep").click();
  await row(page, "c.txt").waitFor();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("tree").click();
  await row(page, "a.txt").waitFor();

  await row(page, "from").getByRole("gridcell").nth(3).dragTo(inTree(page, "to"));
  await page.getByText("Moved 1 item to “to”.").first().waitFor();
  await row(page, "from").waitFor({ state: "detached" });
  await expectNames(page, ["to", "a.txt"]);
  await row(page, "to").getByRole("link").click();
  await row(page, "from").waitFor();
  const crumb = page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("tree");
  await row(page, "from").getByRole("gridcell").nth(3).dragTo(crumb);
  await page.getByText("Moved 1 item to “tree”.").first().waitFor();
  await row(page, "from").waitFor({ state: "detached" });
  expect((await fixture.seed.holdall.files.getByKey("tree/from/b.txt")).name).toBe("b.txt");
  expect(consoleErrors).toEqual([]);
});

test("the tree shows the names of deep folders, and is widened by mouse and keyboard", async () => {
  const path = Array.from({ length: 14 }, (_, at) => `level ${at + 1}`).join("/");
  await fixture.seed.file(`abyss/${path}/x.txt`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto(`/files/abyss/${path}`);
  const name = inTree(page, "level 14").locator("bdi");
  await name.waitFor();
  expect((await name.boundingBox())?.width).toBeGreaterThan(40);
  const panel = page.getByRole("complementary", { name: "Folders" });
  const [box, all] = [await name.boundingBox(), await panel.boundingBox()];
  expect((box?.x ?? 0) + 40).toBeLessThan((all?.x ?? 0) + (all?.width ?? 0));

  const edge = page.getByRole("separator", { name: "Width of the folder tree" });
  const width = async () => Number(await edge.getAttribute("aria-valuenow"));
  const before = await width();
  await edge.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    (value) =>
      Number(document.querySelector("[role=separator]")?.getAttribute("aria-valuenow")) > value,
    before,
  );
  const handle = await edge.boundingBox();
  if (handle === null) throw new Error("The edge of the tree is not in view.");
  await page.mouse.move(handle.x + 4, handle.y + 300);
  await page.mouse.down();
  await page.mouse.move(handle.x + 104, handle.y + 300, { steps: 4 });
  await page.mouse.up();
  const wide = await width();
  expect(wide).toBeGreaterThan(before + 100);
  expect(Math.round((await panel.boundingBox())?.width ?? 0)).toBe(wide);
  await page.reload();
  await edge.waitFor();
  expect(await width()).toBe(wide);
});

test("changes the visibility of everything in a folder, after showing the count", async () => {
  const { page } = await show("seen", ["in/a.txt", "in/deep/b.txt", "out.txt"]);
  await row(page, "in").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Visibility…" }).click();
  await page.getByText("2 public, 0 private, including subfolders.").waitFor();
  await page.getByLabel("Make all private: 2 public files change").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Visibility changed.").first().waitFor();
  const { holdall } = fixture.seed;
  const kept = await Promise.all(
    ["in/a.txt", "in/deep/b.txt", "out.txt"].map((key) => holdall.files.getByKey(`seen/${key}`)),
  );
  expect(kept.map(({ visibility }) => visibility)).toEqual(["private", "private", "public"]);
});

test("marks top-level folders whose names are valid bucket names", async () => {
  for (const folder of ["snaps", "My snaps"]) {
    await fixture.seed.file(`${folder}/inner/a.txt`, "a");
  }
  const { page } = await fixture.signedIn({ reducedMotion: true });
  for (const [view, role] of [
    ["list", "row"],
    ["grid", "gridcell"],
  ] as const) {
    const entry = (name: string) =>
      page.getByRole(role).filter({ has: page.getByText(name, { exact: true }) });
    await page.goto(`/files?view=${view}`);
    await entry("snaps").getByText("Bucket").hover();
    await page.getByText("S3 clients see this folder as the bucket “snaps”").waitFor();
    await entry("My snaps").waitFor();
    expect(await entry("My snaps").getByText("Bucket").count()).toBe(0);
    await page.goto(`/files/snaps?view=${view}`);
    await entry("inner").waitFor();
    expect(await entry("inner").getByText("Bucket").count()).toBe(0);
  }
});

test("downloads a folder as a zip", async () => {
  const { page } = await show("packed", ["box/a.txt", "box/deep/b.txt"]);
  await row(page, "box").click({ button: "right" });
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as zip" }).click();
  expect((await saved).suggestedFilename()).toBe("box.zip");
  const content = await Bun.file((await (await saved).path()) ?? "").text();
  for (const name of ["box/a.txt", "box/deep/b.txt"]) expect(content).toContain(name);
});

test("sorts files by size, type or date, in both directions", async () => {
  const { page } = await show("sorted", ["bb.md", "a.txt", "ccc.csv"]);
  const order = page.getByRole("combobox", { name: "Sort by" });
  await expectNames(page, ["a.txt", "bb.md", "ccc.csv"]);
  await order.selectOption("Size");
  await page.waitForURL("**sort=size**");
  await expectNames(page, ["bb.md", "a.txt", "ccc.csv"]);
  await page.getByRole("button", { name: "Sort descending" }).click();
  await expectNames(page, ["ccc.csv", "a.txt", "bb.md"]);
  await order.selectOption("Type");
  await expectNames(page, ["a.txt", "bb.md", "ccc.csv"]);
  await order.selectOption("Added");
  await expectNames(page, ["ccc.csv", "a.txt", "bb.md"]);
});

test("copies the URL, and creates a signed URL with working code snippets", async () => {
  const { page } = await show("lines", ["it's.txt"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await row(page, "it's.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Copy URL" }).click();
  await page.getByText("URL copied.").first().waitFor();
  expect(await (await fetch(await copied())).text()).toBe("it's.txt");

  await page.getByRole("button", { name: "Share…", exact: true }).click();
  await page.getByText("For developers").click();
  await page.getByRole("button", { name: "Create signed URL" }).click();
  await page.getByText("Signed URL created and copied.").waitFor();
  const signed = await copied();
  expect(await (await fetch(signed)).text()).toBe("it's.txt");
  const isCopied = page.getByRole("button", { name: "curl copied" }).waitFor();
  await page.getByRole("button", { name: "Copy curl" }).click();
  await isCopied;
  const [, url = ""] = /^curl -f '([^']+)' -o 'it'\\''s.txt'$/.exec(await copied()) ?? [];
  expect(url).toBe(signed);
  const code = (label: string) =>
    page.getByRole("figure").filter({ hasText: label }).last().locator("code").textContent();
  expect(await code("HTML")).toBe(`<a href="${url.replaceAll("&", "&amp;")}">it's.txt</a>`);
  expect(await code("TypeScript")).toContain("holdall.files.sign(");

  await page.getByRole("button", { name: "Done" }).click();
  await row(page, "it's.txt").click({ button: "right" });
  const opened = page.context().waitForEvent("page");
  await page.getByRole("menuitem", { name: "Open in a new tab" }).click();
  const tab = await opened;
  await tab.getByText("it's.txt").waitFor();
  await tab.close();
});
