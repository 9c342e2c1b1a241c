import { expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { dragFiles, dropFiles } from "./drag-files.ts";
import { holdRequests } from "./hold-requests.ts";
import { row } from "./row.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import { keysIn, openFolder, panel, press, waitForText } from "./upload-panel.ts";

const { fixture, local } = await startUploadFixture();

const treeNode = (page: Page, name: string) =>
  page.getByRole("tree").getByRole("treeitem", { name, exact: true });

async function centerOf(locator: ReturnType<typeof row>): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("The element is not visible");
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

for (const place of ["row", "grid card", "tree node"] as const) {
  test(`files dropped onto the ${place} of a folder are uploaded into it`, async () => {
    const name = `clients-${place.replace(" ", "-")}`;
    await fixture.seed.holdall.folders.create(`targets/${name}`);
    const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404] });
    await page.goto("/files/targets");
    await row(page, name).waitFor();
    if (place === "grid card") await page.getByRole("radio", { name: "Grid" }).click();
    const inList = page.getByRole("grid").locator(`[data-folder-key="targets/${name}"]`);
    const target = place === "tree node" ? treeNode(page, name) : inList;
    await target.waitFor();
    const drag = await dragFiles(page, [local.file(`${name}.txt`)], await centerOf(target));
    await page.getByText(`Upload to“${name}”`).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: `Upload to “${name}”` })
      .waitFor();
    const isMarked = async () => (await target.getAttribute("data-over")) === "true";
    await eventually("the folder is marked", isMarked);
    await drag.drop();
    await waitForText(page, "1 uploaded");
    expect(await target.getAttribute("data-over")).toBeNull();
    expect(await keysIn(fixture, `targets/${name}`)).toEqual([`targets/${name}/${name}.txt`]);
    await waitForText(page, new RegExp(`· ${name}$`));
  });
}

test("folders that are dropped together ask only once which folders there are", async () => {
  await fixture.seed.file("together/joined-two/a.txt");
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files");
  const target = page.getByRole("grid").locator(`[data-folder-key="together"]`);
  const names = ["joined-one", "joined-two", "joined-three"];
  for (const name of names) local.file(`${name}/a.txt`);
  const isList = (request: Request) => request.url().endsWith("/api/folders?limit=0&key=together");
  const held = await holdRequests(page, "**/api/folders?*", isList);
  let lists = 0;
  page.on("request", (request) => {
    if (isList(request)) lists += 1;
  });
  const paths = names.map((name) => local.folder(name));
  await (await dragFiles(page, paths, await centerOf(target))).drop();
  await held.until(1);
  const checking = panel(page).getByText("Checking for existing files", { exact: true });
  await eventually("all folders are checked", async () => (await checking.count()) === 3);
  await held.release();
  await press(page, "Replace");
  await waitForText(page, "3 uploaded");
  expect(lists).toBe(1);
  expect(await keysIn(fixture, "together")).toHaveLength(6);
  expect(consoleErrors).toEqual([]);
});

test("a folder of the tree opens when a drag rests on it", async () => {
  await fixture.seed.holdall.folders.create("rest/inside");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files");
  await row(page, "rest").waitFor();
  expect(await treeNode(page, "inside").count()).toBe(0);
  const at = await centerOf(treeNode(page, "rest"));
  await dragFiles(page, [local.file("resting.txt")], at);
  await treeNode(page, "inside").waitFor();
});

test("uploaded files open from the panel, and their links can be copied", async () => {
  const { page } = await openFolder(fixture, "results", [404]);
  await fixture.seed.file("results/taken.txt", "before");
  const taken = local.file("taken.txt", "again");
  await (await dragFiles(page, [local.file("first.txt", "one"), taken])).drop();
  await press(page, "Keep both");
  await waitForText(page, "2 uploaded");
  expect(await axeViolations(page)).toEqual([]);

  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await press(page, "Copy link to taken.txt");
  await page.getByText("URL copied.").first().waitFor();
  expect(decodeURIComponent(await copied())).toEndWith("/api/hosting/results/taken (2).txt");

  await fixture.seed.holdall.files
    .getByKey("results/first.txt")
    .then(({ id }) => fixture.seed.holdall.files.setVisibility(id, "private"));
  await press(page, "Copy link to first.txt");
  await page
    .getByText(/Link copied\. Anyone with it /)
    .first()
    .waitFor();
  expect(await (await fetch(`${await copied()}?download=1`)).text()).toBe("one");
});

test("the row of a folder says where it is, and copies a link, which Undo revokes", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "places");
  local.file("album/one.txt", "one");
  await dropFiles(page, [local.folder("album")]);
  await waitForText(page, "1 file · 3 B · places");
  await press(page, "Copy link to album");
  await page
    .getByText(/^Link copied\. Anyone with it can open it until .*\d{4}/)
    .first()
    .waitFor();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  const visitor = await fixture.anonymous();
  await visitor.page.goto(url);
  await visitor.page.getByText("one.txt").first().waitFor();
  await undoLink(page, url);
  expect(consoleErrors).toEqual([]);
});

test("the link of a folder is shown if the browser refuses to copy it, and Undo revokes it", async () => {
  const { page } = await openFolder(fixture, "blocked");
  local.file("blocked-album/one.txt", "one");
  await dropFiles(page, [local.folder("blocked-album")]);
  await waitForText(page, "1 file · 3 B · blocked");
  // As without HTTPS, in browsers that allow copying only during the click.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await press(page, "Copy link to blocked-album");
  const message = page
    .getByText(/^The browser blocked copying the link\. .* until .*\d{4}.*: http/)
    .last();
  await message.waitFor();
  const [url = ""] = /http\S+$/.exec((await message.textContent()) ?? "") ?? [];
  await undoLink(page, url);
});

/** Presses Undo and waits until the link is revoked. */
async function undoLink(page: Page, url: string): Promise<void> {
  const { links } = fixture.seed.holdall;
  const listed = async () => (await links.list({ includeRevoked: true })).links;
  const made = (await listed()).find((link) => link.url !== null && url.endsWith(link.url));
  expect(made?.state).toBe("active");
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually("the link is revoked", async () => {
    return (await listed()).find(({ id }) => id === made?.id)?.state === "revoked";
  });
}

test("rows stay in the order of their files, and say whole why one failed", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "order");
  const name = `${"a very long name of a film ".repeat(6)}.mov`;
  const paths = ["1.txt", "2.txt", "3.txt"].map((each) => local.file(each));
  await dropFiles(page, paths);
  await waitForText(page, "3 uploaded");
  const rows = panel(page).getByRole("list").getByRole("listitem");
  expect(await rows.allTextContents()).toEqual([
    expect.stringContaining("1.txt"),
    expect.stringContaining("2.txt"),
    expect.stringContaining("3.txt"),
  ]);
  await dropFiles(page, [local.sparse(name, 6 * 1024 ** 3)]);
  const reason = panel(page).getByText("Larger than the limit of 5 GiB.", { exact: true });
  await reason.waitFor();
  expect(await reason.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(
    true,
  );
  expect(consoleErrors).toEqual([]);
});

test("a row opens its file from any page", async () => {
  const { page } = await openFolder(fixture, "open", [404]);
  await (await dragFiles(page, [local.file("page.txt", "Hello")])).drop();
  await waitForText(page, "1 uploaded");
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await panel(page).getByRole("button", { name: "Open page.txt" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("heading", { name: "page.txt" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/files/open");
});

test("the upload of a large file writes no errors to the console", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "quiet");
  const path = local.sparse("film.mov", 3_000_000);
  await fixture.seed.file("elsewhere/film.mov");
  await (await dragFiles(page, [path])).drop();
  await waitForText(page, "1 uploaded");
  expect(consoleErrors).toEqual([]);
});
