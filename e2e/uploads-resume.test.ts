import { afterEach, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { startFaultProxy } from "../test/fault-proxy.ts";
import { freePort } from "../test/free-port.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { dropFiles } from "./drag-files.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import {
  choose,
  keysIn,
  network,
  openFolder,
  panel,
  press,
  reload,
  sentOffsets,
  startSlowly,
  waitForText,
} from "./upload-panel.ts";

const MEGABYTE = 1_000_000;

afterEach(async () => {
  await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  await closeVisits();
});
const tabs: Page[] = [];
const { fixture, local } = await startUploadFixture({
  PORT: String(await freePort()),
});

function randomFile(path: string, size: number): { path: string; content: Uint8Array } {
  const content = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536)
    crypto.getRandomValues(content.subarray(at, at + 65_536));
  return { path: local.file(path, content), content };
}

async function storedBytes(key: string): Promise<Uint8Array> {
  return (await fetch(fixture.seed.holdall.url(key))).bytes();
}

/** A second page of the same browser. */
async function openTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  tabs.push(tab);
  return tab;
}

test("a paused upload keeps its offset, and everything works by keyboard", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "paused", [423]);
  const offsets = sentOffsets(page);
  const { path, content } = randomFile("paused.bin", 24 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  await panel(page).getByRole("button", { name: "Pause paused.bin" }).focus();
  await page.keyboard.press("Enter");
  await waitForText(page, /^Paused · .* of 24\.0 MB/);
  expect(await axeViolations(page)).toEqual([]);
  const sent = offsets.length;
  await network(page, {});
  await panel(page).getByRole("button", { name: "Resume all" }).focus();
  await page.keyboard.press("Enter");
  await waitForText(page, "1 uploaded");
  expect(offsets[sent]).toBeGreaterThan(4 * MEGABYTE);
  expect(await storedBytes("paused/paused.bin")).toEqual(content);
  expect(consoleErrors).toEqual([]);
});

test("pausing all stops every request until all are resumed", async () => {
  const { page } = await openFolder(fixture, "paused-all", [404]);
  await network(page, { up: 300_000 });
  const paths = ["a", "b", "c", "d"].map((name) => local.sparse(`all/${name}.bin`, 12 * MEGABYTE));
  await dropFiles(page, paths);
  await waitForText(page, /Uploading 1 of 4/);
  await press(page, "Pause all");
  await panel(page).getByRole("heading", { name: "Paused · 0 of 4 uploaded" }).waitFor();
  expect(
    await panel(page)
      .getByRole("button", { name: /^Resume [abcd]\.bin/ })
      .count(),
  ).toBe(4);
  await network(page, {});
  await press(page, "Resume all");
  await waitForText(page, "4 uploaded");
  expect(await keysIn(fixture, "paused-all")).toHaveLength(4);
});

test("continues at the stored offset after each cut connection", async () => {
  let patches = 0;
  const proxy = await startFaultProxy(fixture.server.url, (head) => {
    if (!head.startsWith("PATCH")) return undefined;
    patches += 1;
    return patches % 3 === 1 ? "cut request" : undefined;
  });
  await fixture.seed.holdall.folders.create("cut");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto(`${proxy.url}/files/cut`);
  await page.getByText("This folder is empty").waitFor();
  const offsets = sentOffsets(page);
  const { path, content } = randomFile("cut.bin", 24 * MEGABYTE);
  await dropFiles(page, [path]);
  await panel(page).getByText("1 uploaded").first().waitFor();
  await proxy.close();
  expect(proxy.tally.faults["cut request"]).toBeGreaterThan(1);
  expect(offsets.toSorted((one, other) => one - other)).toEqual(offsets);
  expect(await storedBytes("cut/cut.bin")).toEqual(content);
});

test("continues after the server was killed and started again", async () => {
  const { page } = await openFolder(fixture, "killed", [404, 502]);
  const offsets = sentOffsets(page);
  const { path, content } = randomFile("killed.bin", 30 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  await fixture.server.kill();
  await waitForText(page, /Can't reach the server/);
  await fixture.server.restart();
  await network(page, {});
  await waitForText(page, "1 uploaded");
  expect(offsets.filter((offset) => offset === 0)).toHaveLength(1);
  expect(await storedBytes("killed/killed.bin")).toEqual(content);
});

test("after a reload, shows what is stored, and continues with the file that is chosen again", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "reloaded");
  const { path, content } = randomFile("photos.zip", 24 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  await reload(page);
  await panel(page).getByRole("heading", { name: "1 interrupted upload" }).waitFor();
  await waitForText(page, /^[2-9]\d % stored – choose the file again to continue$/);
  expect(await axeViolations(page)).toEqual([]);
  await network(page, {});
  const offsets = sentOffsets(page);
  const again = () => press(page, "Choose file photos.zip again");
  await choose(page, again, local.file("other.zip", "another file"));
  await page
    .getByText(/“other.zip” is not an interrupted file/)
    .first()
    .waitFor();
  await choose(page, again, path);
  await waitForText(page, "1 uploaded");
  expect(offsets[0]).toBeGreaterThan(4 * MEGABYTE);
  expect(await storedBytes("reloaded/photos.zip")).toEqual(content);
  await page.reload();
  await page.getByRole("row", { name: "photos.zip" }).waitFor();
  expect(await panel(page).count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test("a file that is dropped again in a new tab continues, one that has changed starts again", async () => {
  const { page, context } = await openFolder(fixture, "closed", [404]);
  const same = randomFile("same.bin", 24 * MEGABYTE);
  const changed = randomFile("changed.bin", 24 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [same.path, changed.path]), 2);
  await page.close({ runBeforeUnload: false });

  const tab = await openTab(context);
  await tab.goto("/files/closed");
  await panel(tab).getByRole("heading", { name: "2 interrupted uploads" }).waitFor();
  const rewritten = randomFile("changed.bin", 23 * MEGABYTE);
  const offsets = sentOffsets(tab);
  await dropFiles(tab, [same.path, rewritten.path]);
  await panel(tab).getByRole("heading", { name: "1 interrupted upload" }).waitFor();
  expect(Math.max(...offsets)).toBeGreaterThan(4 * MEGABYTE);
  expect(offsets).toContain(0);
  expect(await storedBytes("closed/same.bin")).toEqual(same.content);
  expect(await storedBytes("closed/changed.bin")).toEqual(rewritten.content);
  await press(tab, "Discard changed.bin");
});

test("discarding an interrupted upload removes it from the server and from later pages", async () => {
  const { page } = await openFolder(fixture, "discarded", [404]);
  const created = page.waitForResponse(
    (response) => response.url().endsWith("/api/uploads") && response.status() === 201,
  );
  const path = local.sparse("unwanted.bin", 24 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  const { upload } = (await (await created).json()).data;
  await reload(page);
  const url = `${fixture.server.url}/${upload.url}`;
  expect((await fetch(url)).status).toBe(200);
  const gone = page.waitForResponse((response) => response.request().method() === "DELETE");
  await press(page, "Discard unwanted.bin");
  await gone;
  expect((await fetch(url)).status).toBe(404);
  await page.reload();
  await page.getByText("This folder is empty").waitFor();
  expect(await panel(page).count()).toBe(0);
});

test("an upload that the server does not know any more starts again", async () => {
  const { page } = await openFolder(fixture, "expired", [404]);
  const created = page.waitForResponse(
    (response) => response.url().endsWith("/api/uploads") && response.status() === 201,
  );
  const { path, content } = randomFile("expired.bin", 20 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  const { upload } = (await (await created).json()).data;
  await reload(page);
  await waitForText(page, /% stored – choose the file again to continue$/);
  await fetch(`${fixture.server.url}/${upload.url}`, { method: "DELETE" });
  await page.reload();
  await waitForText(page, "0 % stored – choose the file again to upload it");
  await network(page, {});
  const offsets = sentOffsets(page);
  await choose(page, () => press(page, "Choose file expired.bin again"), path);
  await waitForText(page, "1 uploaded");
  expect(offsets[0]).toBe(0);
  expect(await storedBytes("expired/expired.bin")).toEqual(content);
});

test("another tab shows an upload as interrupted only after its own tab was closed", async () => {
  const { page, context } = await openFolder(fixture, "tabs", [404]);
  const path = local.sparse("tabs.bin", 80 * MEGABYTE);
  await startSlowly(page, () => dropFiles(page, [path]));
  const other = await openTab(context);
  await other.goto("/files/tabs");
  await other.getByText("This folder is empty").waitFor();
  await dropFiles(other, [local.file("second.txt")]);
  await waitForText(other, "1 uploaded");
  expect(await panel(other).getByText("tabs.bin").count()).toBe(0);
  await page.close({ runBeforeUnload: false });
  await waitForText(other, /% stored – choose the file again to continue$/);
  await press(other, "Discard tabs.bin");
});

test("continues without the user if the browser can read the file again", async () => {
  const { page } = await openFolder(fixture, "handles", [404]);
  // A file of the origin's own file system stands in for one that the user has allowed to read.
  await page.addInitScript(() => {
    window.showOpenFilePicker = async () => {
      const root = await navigator.storage.getDirectory();
      return [await root.getFileHandle("film.bin")];
    };
  });
  await page.reload();
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const writer = await (await root.getFileHandle("film.bin", { create: true })).createWritable();
    await writer.write(new Uint8Array(24_000_000).fill(7));
    await writer.close();
  });
  await startSlowly(page, async () => {
    await page.getByRole("button", { name: "Upload" }).first().click();
    await page.getByRole("menuitem", { name: "Files…" }).click();
  });
  const offsets = sentOffsets(page);
  await reload(page);
  await network(page, {});
  await panel(page).getByText("1 uploaded").first().waitFor();
  expect(offsets[0]).toBeGreaterThan(4 * MEGABYTE);
  expect((await fixture.seed.holdall.files.getByKey("handles/film.bin")).size).toBe(24_000_000);
});
