import { afterEach, beforeAll, expect, test } from "bun:test";
import { eventually } from "../test/expectations.ts";
import { EXIF_TEXT, encodeJpeg, withExif } from "../test/image-encoders.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>';

test("i shows details of the selection: dimensions, duration, digest, links and activity", async () => {
  await fixture.seed.file("panel/a.svg", SVG);
  await fixture.seed.file("panel/b.wav", createWav(2));
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel");
  const panel = page.getByRole("complementary", { name: "Details" });
  await row(page, "a.svg").click();
  await page.keyboard.press("i");
  await panel.getByText("40 × 30 px").waitFor();
  const digest = new Bun.CryptoHasher("sha256").update(SVG).digest("hex");
  await panel.getByText(digest).waitFor();
  await panel.getByText("No links.").waitFor();
  expect(await panel.getByText("/api/hosting/panel/a.svg").count()).toBe(1);

  await page.keyboard.press("ArrowDown");
  await panel.getByText("0:02").waitFor();
  await page.keyboard.press("Shift+ArrowUp");
  await panel.getByText("2 files", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await panel.getByText("2 files, 0 folders").waitFor();
  await page.reload();
  await panel.getByRole("heading", { name: "Details" }).waitFor();
  await panel.getByRole("button", { name: "Close details" }).click();
  await panel.waitFor({ state: "detached" });
});

test("the menu of a folder opens its details, which show what happened in it", async () => {
  await fixture.seed.file("panel-folder/inside/deep/new.txt");
  await fixture.seed.file("panel-folder/inside-out/other.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel-folder");
  await row(page, "inside").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Details" }).click();
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("1 file, 1 folder").waitFor();
  await panel.getByText(/uploaded .*new\.txt/).waitFor();
  expect(await panel.getByText(/other\.txt/).count()).toBe(0);
  await page.goto("/files");
  await panel.getByText(/uploaded .*other\.txt/).waitFor();
});

test("the details of a photo have its camera, from EXIF", async () => {
  const photo = await encodeJpeg(60, 40, () => [90, 120, 60]);
  const jpeg = withExif(photo, 1, "Pentax K-1", EXIF_TEXT.model);
  await fixture.seed.file("panel-exif/a.jpg", new Uint8Array(jpeg));
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel-exif");
  await row(page, "a.jpg").click();
  await page.keyboard.press("i");
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("60 × 40 px").waitFor();
  await panel.getByText("Camera", { exact: true }).waitFor();
  await panel.getByText("Pentax K-1", { exact: true }).waitFor();
});

test("it is beside the preview too, and a link can be revoked there", async () => {
  await fixture.seed.file("panel-preview/a.svg", SVG);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel-preview");
  await row(page, "a.svg").getByRole("link").click();
  const preview = page.getByRole("dialog", { name: "Preview of a.svg" });
  await preview.waitFor();
  await page.keyboard.press("i");
  await preview.getByText("40 × 30 px").waitFor();
  await page.evaluate(async () => {
    const found = await fetch("/api/files?key=panel-preview/a.svg");
    const fileId = (await found.json()).data.file.id;
    await fetch("/api/links", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ fileId, title: "For Ada" }),
    });
  });
  await page.keyboard.press("i");
  await page.keyboard.press("i");
  await preview.getByRole("button", { name: "Revoke For Ada" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await page.getByText("Link revoked.").first().waitFor();
  await preview.getByText("No links.").waitFor();
  await page.keyboard.press("Escape");
});

test("it follows changes: activity, versions and sizes, which are loaded together", async () => {
  const { holdall } = fixture.seed;
  await holdall.settings.change({ keepVersions: true });
  await fixture.seed.file("panel-live/a.txt", "one");
  for (const name of ["x", "y", "z"]) await fixture.seed.file(`panel-live/${name}/f`, name);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/files/panel-live");
  const panel = page.getByRole("complementary", { name: "Details" });
  await row(page, "a.txt").click();
  await page.keyboard.press("i");
  await panel.getByText("Earlier versions").waitFor();
  const { id } = await holdall.files.getByKey("panel-live/a.txt");
  await holdall.files.setVisibility(id, "private");
  await panel.getByText(/made .* private/).waitFor();
  await holdall.files.upload(new Blob(["two"]), {
    name: "a.txt",
    folder: "panel-live",
    onConflict: "replace",
  });
  await panel.getByRole("list", { name: /Earlier versions/ }).waitFor();

  await row(page, "x").click();
  await row(page, "z").click({ modifiers: ["Shift"] });
  await panel.getByText("3 files, 0 folders").waitFor();
  // The rows and the panel each request the sizes of all three folders.
  const counts = asked
    .filter((url) => url.includes("folders/size?ids="))
    .map((url) => new URL(url).searchParams.getAll("ids").length);
  expect(counts.length).toBeGreaterThan(1);
  expect(new Set(counts)).toEqual(new Set([3]));
  await holdall.settings.change({ keepVersions: null });
});

test("at any width, it is beside the list and not over it", async () => {
  await fixture.seed.file("panel-beside/a.txt", "a");
  const { page } = await fixture.signedIn({ reducedMotion: true, width: 1024 });
  await page.goto("/files/panel-beside");
  await row(page, "a.txt").click();
  await page.getByRole("button", { name: "Details", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("1 byte").or(panel.getByText("1 B")).first().waitFor();
  for (const width of [1024, 1280, 1366, 1440, 1700]) {
    await page.setViewportSize({ width, height: 800 });
    const isBeside = async () => {
      const [list, beside] = [
        await page.getByRole("grid").boundingBox(),
        await panel.boundingBox(),
      ];
      return list !== null && beside !== null && list.x + list.width <= beside.x + 1;
    };
    await eventually(`the panel is beside the list at ${width}`, isBeside, 60_000);
    await row(page, "a.txt")
      .getByRole("button", { name: /More actions/ })
      .click();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
  }
});

test("on phones it is a sheet", async () => {
  await fixture.seed.file("panel-phone/a.svg", SVG);
  const { page } = await fixture.signedIn({
    reducedMotion: true,
    width: 390,
    height: 800,
    device: "phone",
  });
  await page.goto("/files/panel-phone");
  await row(page, "a.svg").waitFor();
  await page.getByRole("button", { name: "Details" }).tap();
  const sheet = page.getByRole("dialog", { name: "Details" });
  await sheet.getByText("1 file, 0 folders").waitFor();
  await sheet.getByRole("button", { name: "Close details" }).tap();
  await sheet.waitFor({ state: "detached" });
});

test("it leaves the header and the toolbar free, and shows errors", async () => {
  await fixture.seed.file("panel-narrow/a.svg", SVG);
  await fixture.seed.file("panel-narrow/b.txt", "b");
  await fixture.seed.file("panel-narrow/sub/c.txt", "c");
  const { page } = await fixture.signedIn({
    reducedMotion: true,
    width: 1200,
    expectedStatuses: [500],
  });
  await page.goto("/files/panel-narrow");
  const panel = page.getByRole("complementary", { name: "Details" });
  await row(page, "a.svg").click();
  await page.getByRole("button", { name: "Details", exact: true }).click();
  await panel.getByText("40 × 30 px").waitFor();
  await page
    .getByRole("toolbar", { name: "Selection" })
    .getByRole("button", { name: "More for the selection" })
    .click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("New name for a.svg").waitFor();
  await page.keyboard.press("Escape");

  await failWith500("**/api/files/digest?*")(page);
  await row(page, "b.txt").click();
  await panel.getByText("Couldn't load the digest and the headers").waitFor();

  await failWith500("**/api/folders/size?*")(page);
  await row(page, "sub").click();
  await panel.getByText("Unexpected server error").waitFor();

  await panel.getByRole("button", { name: "Close details" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-entries]:focus").waitFor();
});

test("the folders of a large selection are measured in several requests", async () => {
  const { folders } = fixture.seed.holdall;
  for (let at = 1; at <= 101; at += 1) await folders.create(`panel-many/f-${at}`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const counts: number[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const ids = pathname === "/api/folders/size" ? searchParams.getAll("ids") : [];
    if (ids.length > 0) counts.push(ids.length);
  });
  await page.goto("/files/panel-many");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Details", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("101 folders", { exact: true }).waitFor();
  await panel.getByText("0 files, 0 folders").waitFor();
  // The rows in view are measured together, too.
  expect(counts).toEqual(expect.arrayContaining([100, 1]));
  expect(Math.max(...counts)).toBe(100);
});

test("a quota is set in the unit that its bar has, changed and removed", async () => {
  await fixture.seed.file("panel-quota/a.txt", "x".repeat(600));
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel-quota");
  await row(page, "a.txt").waitFor();
  const panel = page.getByRole("complementary", { name: "Details" });
  await page
    .getByRole("button", { name: /details/i })
    .first()
    .click();
  await panel.getByRole("button", { name: "Set quota…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Quota of/ });
  await dialog.getByLabel("Size in GB").fill("10");
  await dialog.getByRole("button", { name: "Save" }).click();
  await panel.getByText("600 B of 10.0 GB", { exact: true }).waitFor();

  await panel.getByRole("button", { name: "Change quota…" }).click();
  expect(await dialog.getByLabel("Size in GB").inputValue()).toBe("10");
  await dialog.getByLabel("Size in GB").fill("0.0000005");
  await dialog.getByLabel("Number of files").fill("3");
  await dialog.getByRole("button", { name: "Save" }).click();
  await panel.getByText("600 B of 500 B · 1 of 3 files").waitFor();
  await panel.getByText("Nothing more fits in.").waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await panel.getByRole("button", { name: "Change quota…" }).click();
  for (const field of ["Size in GB", "Number of files"]) await dialog.getByLabel(field).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await panel.getByText("No limit.").waitFor();
});

test("details of a file have its picture, and the upload that it came with", async () => {
  const { files } = fixture.seed.holdall;
  const several = ["a.svg", "b.svg"].map((name) => ({ content: new Blob([SVG]), name }));
  await files.uploadMany(several, { folder: "panel-several" });
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/panel-several?view=list");
  await row(page, "b.svg").click();
  await page.keyboard.press("i");
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("uploaded 2 files to panel-several").waitFor();
  const picture = panel.locator("img");
  await picture.waitFor();
  const [outer, inner] = await Promise.all([panel.boundingBox(), picture.boundingBox()]);
  expect(inner?.height).toBeLessThanOrEqual(160);
  expect(inner?.width).toBeLessThan(outer?.width ?? 0);
});
