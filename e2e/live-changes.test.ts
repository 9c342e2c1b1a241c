import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { api } from "../test/client.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

/** Opens a folder with these files and waits until the page follows the changes. */
async function show(folder: string, files: readonly string[]): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await page.goto(`/files/${folder}`);
  await page.getByRole("grid").waitFor();
  await following;
  return page;
}

test("shows uploads, renames, moves and deletions made elsewhere", async () => {
  const page = await show("live", ["a.txt", "b.txt", "c.txt"]);
  const a = api(fixture.server);
  const d = await a.put("live/d.txt", "d");
  await row(page, "d.txt").waitFor();
  await a.json("PUT", "/api/files", { id: d.id, name: "e.txt" });
  await row(page, "e.txt").waitFor();
  await row(page, "d.txt").waitFor({ state: "hidden" });
  const other = await a.folder("elsewhere");
  await a.json("PUT", "/api/files", { id: d.id, folderId: other.id });
  await row(page, "e.txt").waitFor({ state: "hidden" });
  const inner = await a.folder("live/inner");
  await row(page, "inner").waitFor();
  await a.json("PUT", "/api/folders", { id: inner.id, name: "renamed" });
  await row(page, "renamed").waitFor();
  await a.json("DELETE", "/api/folders", { id: inner.id });
  await row(page, "renamed").waitFor({ state: "hidden" });
  await expectNames(page, ["a.txt", "b.txt", "c.txt"]);
});

test("shows files and folders that are restored elsewhere", async () => {
  const page = await show("back", ["a.txt", "b.txt", "inner/c.txt"]);
  const { holdall } = fixture.seed;
  const { id } = await holdall.files.getByKey("back/a.txt");
  const { folder } = await holdall.folders.browse({ key: "back/inner" }, { limit: 0 });
  const { undoId: ofFile } = await holdall.files.delete(id, { trash: true });
  await row(page, "a.txt").waitFor({ state: "hidden" });
  const { undoId: ofFolder } = await holdall.folders.delete(folder.id, { trash: true });
  await row(page, "inner").waitFor({ state: "hidden" });
  await holdall.trash.restore({ undoId: ofFile ?? "" });
  await row(page, "a.txt").waitFor();
  await holdall.trash.restore({ undoId: ofFolder ?? "" });
  await row(page, "inner").waitFor();
  await row(page, "inner").getByText("1 file", { exact: true }).waitFor();
});

test("keeps the selection and a rename in progress", async () => {
  const page = await show("busy", ["a.txt", "b.txt", "c.txt"]);
  const a = api(fixture.server);
  await page.getByRole("grid").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "New name for b.txt" });
  await field.waitFor();
  await page.keyboard.type("half");
  await a.put("busy/d.txt", "d");
  await a.folder("busy/aa");
  await row(page, "d.txt").waitFor();
  await row(page, "aa").waitFor();
  expect(await field.inputValue()).toBe("half.txt");
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByText("1 selected").first().waitFor();
});

test("catches up after the server was away", async () => {
  const page = await show("restarted", ["a.txt"]);
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await fixture.server.restart({ PORT: String(fixture.server.port) });
  await following;
  await api(fixture.server).put("restarted/b.txt", "b");
  await row(page, "b.txt").waitFor();
});
