import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
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

/**
 * Opens a folder with these files and waits until the page follows the changes. `search` is the query string of a search
 * in it.
 */
async function show(folder: string, files: readonly string[], search = ""): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await page.goto(`/files/${folder}${search}`);
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

test("the results of a search follow changes made elsewhere", async () => {
  const page = await show("found", ["needle-a.txt", "needle-c.txt"], "?q=needle&sort=name&dir=asc");
  const a = api(fixture.server);
  const results = (count: string) => page.getByRole("status").getByText(count, { exact: true });
  await results("2 results").waitFor();
  await row(page, "needle-c.txt").click();
  const b = await a.put("other place/needle-b.txt", "b");
  await row(page, "needle-b.txt").getByText("other place", { exact: true }).waitFor();
  await expectNames(page, ["needle-a.txt", "needle-b.txt", "needle-c.txt"]);
  await a.json("PUT", "/api/files", { id: b.id, name: "pin.txt" });
  await expectNames(page, ["needle-a.txt", "needle-c.txt"]);
  await a.json("PUT", "/api/files", { id: b.id, name: "needle-d.txt" });
  await expectNames(page, ["needle-a.txt", "needle-c.txt", "needle-d.txt"]);
  const folder = await a.folder("other place/needles");
  await row(page, "needles").waitFor();
  await a.json("DELETE", "/api/folders", { id: folder.id });
  await expectNames(page, ["needle-a.txt", "needle-c.txt", "needle-d.txt"]);
  await results("3 results").waitFor();
  await page.getByText("1 selected, 5 B").waitFor();
});

test("a filtered folder follows changes of visibility, type and place made elsewhere", async () => {
  const filters = "?type=text%2F*&visibility=private&in=folder";
  await fixture.seed.file("filtered/a.txt", "a", "private");
  await fixture.seed.file("filtered/deep/b.txt", "b", "private");
  await fixture.seed.file("filtered/c.txt", "c", "private");
  const page = await show("filtered", [], filters);
  await expectNames(page, ["a.txt", "b.txt", "c.txt"]);
  const a = api(fixture.server);
  const { holdall } = fixture.seed;
  const idOf = async (key: string) => (await holdall.files.getByKey(key)).id;
  await holdall.files.update(await idOf("filtered/a.txt"), { visibility: "public" });
  await expectNames(page, ["b.txt", "c.txt"]);
  const elsewhere = await a.folder("not filtered");
  await holdall.files.update(await idOf("filtered/deep/b.txt"), { folderId: elsewhere.id });
  await expectNames(page, ["c.txt"]);
  await holdall.files.update(await idOf("filtered/c.txt"), { name: "c.png" });
  await page.getByText("Nothing found").waitFor();
  await holdall.files.update(await idOf("filtered/a.txt"), { visibility: "private" });
  await expectNames(page, ["a.txt"]);
});

test("a preview stays with its file when that leaves the results, until the file is gone", async () => {
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    await fixture.seed.file(`left/${name}`, name, "private");
  }
  const page = await show("left", [], "?visibility=private&in=folder&sort=name&dir=asc");
  await expectNames(page, ["a.txt", "b.txt", "c.txt"]);
  await row(page, "b.txt").dblclick();
  await page.getByRole("dialog", { name: "Preview of b.txt" }).waitFor();
  const { holdall } = fixture.seed;
  const { id } = await holdall.files.getByKey("left/b.txt");
  await holdall.files.update(id, { visibility: "public" });
  await page.getByText(/· 2 of 3$/).waitFor({ state: "hidden" });
  await page.getByRole("dialog", { name: "Preview of b.txt" }).waitFor();
  await holdall.files.update(id, { visibility: "private" });
  await page.getByText(/· 2 of 3$/).waitFor();
  await holdall.files.delete(id);
  await page.getByRole("dialog", { name: "Preview of c.txt" }).waitFor();
});

test("a rename does not wait for a search that the server does not answer", async () => {
  const page = await show("slow", ["a.txt"], "?q=a.txt&in=folder");
  await expectNames(page, ["a.txt"]);
  await page.route(/api\/search/, () => {});
  await row(page, "a.txt").click();
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "New name for a.txt" });
  await field.fill("a.txt.txt");
  await page.keyboard.press("Enter");
  await field.waitFor({ state: "hidden" });
});

test("a long search that was scrolled is loaded in one request, and stays where it is", async () => {
  await fixture.seed.many("haystack", 1_000);
  const page = await show("haystack", [], "?q=note-&sort=name&dir=asc");
  const grid = page.getByRole("grid");
  await grid.focus();
  for (let shown = 200; shown < 600; shown += 200) {
    const more = page.waitForResponse(/api\/search\?.*cursor=\w/);
    await page.keyboard.press("End");
    await more;
    const least = 36 * (shown + 199);
    await page.waitForFunction(
      (least) => (document.querySelector("[data-entries]")?.scrollHeight ?? 0) > least,
      least,
    );
  }
  const last = await grid.evaluate((element) => {
    element.scrollTop -= 400;
    return element.scrollTop;
  });
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/search?")) requests.push(request);
  });
  const { id } = await fixture.seed.holdall.files.getByKey("haystack/note-00900.txt");
  await fixture.seed.holdall.files.delete(id);
  await page.getByRole("status").getByText("999 results", { exact: true }).waitFor();
  expect(requests.map((request) => new URL(request.url()).searchParams.get("limit"))).toEqual([
    "600",
  ]);
  expect(await grid.evaluate((element) => element.scrollTop)).toBe(last);
});
