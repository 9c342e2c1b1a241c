import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { api } from "../test/client.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0" });
});
afterAll(() => fixture.discard());

const item = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

async function show(folder: string, files: readonly string[]) {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const visit = await fixture.signedIn({ reducedMotion: true });
  await visit.page.goto(`/files/${folder}`);
  await visit.page.getByRole("grid").waitFor();
  return visit;
}

/** Uploads files to a folder and moves them to the trash, one deletion each. */
async function trash(folder: string, files: readonly string[]): Promise<void> {
  const { holdall } = fixture.seed;
  for (const name of files) {
    await fixture.seed.file(`${folder}/${name}`);
    const { id } = await holdall.files.getByKey(`${folder}/${name}`);
    await holdall.files.delete(id, { trash: true });
  }
}

async function showTrash() {
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404, 500] });
  await visit.page.goto("/trash");
  await visit.page.getByRole("heading", { name: "Trash" }).waitFor();
  return visit;
}

describe("a deletion", () => {
  test("is undone with the button of its message", async () => {
    const { page, consoleErrors } = await show("button", ["a.txt", "b.txt", "sub/c.txt"]);
    const { id } = await fixture.seed.holdall.files.getByKey("button/a.txt");
    await row(page, "sub").getByText("1 file", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).click();
    await button(page, "Delete").click();
    await page.getByText("Moved 3 items to the trash.").first().waitFor();
    await page.getByText("This folder is empty").waitFor();
    await button(page, "Undo").click();
    await page.getByText("Restored 3 items.").first().waitFor();
    for (const name of ["a.txt", "b.txt", "sub"]) await row(page, name).waitFor();
    expect((await fixture.seed.holdall.files.getByKey("button/a.txt")).id).toBe(id);
    expect(consoleErrors).toEqual([]);
  });

  test("is undone with Ctrl+Z, which still undoes typing in a field", async () => {
    const { page } = await show("keys", ["a.txt", "b.txt"]);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Delete");
    await page.getByText("Moved “a.txt” to the trash.").first().waitFor();
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.type("x");
    await page.keyboard.press("Control+z");
    expect(await button(page, "Undo").count()).toBe(1);
    await page.getByRole("searchbox").first().fill("");
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+z");
    await page.getByText("Restored “a.txt” to “keys”.").first().waitFor();
    await row(page, "a.txt").waitFor();
    await button(page, "Undo").waitFor({ state: "detached" });
  });

  test("is announced with the key that undoes it", async () => {
    const { page } = await show("spoken", ["a.txt"]);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    const status = page.getByRole("status").filter({ hasText: "Moved “a.txt” to the trash." });
    expect(await status.textContent()).toMatch(/Undo: (Ctrl\+Z|⌘Z)\./);
  });

  test("does not wait for the settings", async () => {
    await fixture.seed.file("unread/a.txt");
    const { page } = await fixture.signedIn({ reducedMotion: true });
    await page.route("**/api/settings", () => undefined);
    await page.goto("/files/unread");
    await row(page, "a.txt").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText("Moved “a.txt” to the trash.").first().waitFor();
    await button(page, "Undo").click();
    await row(page, "a.txt").waitFor();
  });

  test("whose name was taken since is undone under another name", async () => {
    const { page } = await show("taken", ["a.txt"]);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText("Moved “a.txt” to the trash.").first().waitFor();
    await fixture.seed.file("taken/a.txt", "other");
    await button(page, "Undo").click();
    await page
      .getByText("Restored to “taken” as “a (2).txt”, because the name was taken.")
      .first()
      .waitFor();
    await row(page, "a (2).txt").waitFor();
  });
});

describe("the trash", () => {
  test("lists what was deleted, and restores it by keyboard", async () => {
    await trash("papers", ["one.txt", "two.txt", "three.txt"]);
    const { page, consoleErrors } = await showTrash();
    await item(page, "three.txt").getByText("In papers").waitFor();
    await item(page, "three.txt")
      .getByText(/^Deleted permanently in \d+ days$/)
      .waitFor();
    await button(page, "Restore three.txt").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Restored “three.txt” to “papers”.").first().waitFor();
    await item(page, "three.txt").waitFor({ state: "detached" });
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("aria-label") === "Restore two.txt",
    );
    expect((await fixture.seed.holdall.files.getByKey("papers/three.txt")).name).toBe("three.txt");

    await page.getByRole("checkbox", { name: "Select one.txt" }).check();
    await page.getByRole("checkbox", { name: "Select two.txt" }).check();
    await page.getByText("2 selected").waitFor();
    await button(page, "Restore selected").click();
    await page.getByText("Restored 2 items.").first().waitFor();
    await item(page, "one.txt").waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
  });

  test("deletes permanently only after a second step", async () => {
    await trash("shreds", ["keep.txt", "gone.txt"]);
    const { page } = await showTrash();
    await button(page, "Delete gone.txt permanently").click();
    await page.getByRole("heading", { name: "Delete “gone.txt” permanently?" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === "Cancel");
    await page.getByText("This deletes 1 file (5 B) now").waitFor();
    await page.keyboard.press("Escape");
    await item(page, "gone.txt").waitFor();
    await button(page, "Delete gone.txt permanently").click();
    await button(page, "Delete permanently").click();
    await page.getByText("Deleted 1 item permanently.").first().waitFor();
    await item(page, "gone.txt").waitFor({ state: "detached" });
    await item(page, "keep.txt").waitFor();
    expect(await focusedLabel(page)).not.toBeUndefined();
  });

  test("follows deletions and restores made elsewhere", async () => {
    const { page } = await fixture.signedIn({ reducedMotion: true });
    const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
    await page.goto("/trash");
    await following;
    await trash("afar", ["news.txt"]);
    await item(page, "news.txt").waitFor();
    const { items } = await fixture.seed.holdall.trash.list();
    const id = items.find(({ name }) => name === "news.txt")?.id ?? "";
    await fixture.seed.holdall.trash.restore({ ids: [id] });
    await item(page, "news.txt").waitFor({ state: "detached" });
  });

  test("of a thousand files renders only what is in view, and can be restored and emptied", async () => {
    const { holdall } = fixture.seed;
    await fixture.seed.many("piles", 1_000);
    const ids: string[] = [];
    for await (const file of holdall.files.each()) {
      if (file.key.startsWith("piles/")) ids.push(file.id);
    }
    for (let at = 0; at < ids.length; at += 500) {
      await holdall.files.deleteMany(ids.slice(at, at + 500), { trash: true });
    }
    const { page } = await showTrash();
    await page.getByRole("listitem").first().waitFor();
    expect(await page.getByRole("listitem").count()).toBeLessThan(80);
    await page.getByRole("checkbox", { name: "Select all" }).click();
    await page.getByText(/^1,0\d\d selected$/).waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).click();

    await button(page, "Empty trash…").click();
    await page.getByRole("heading", { name: "Empty the trash?" }).waitFor();
    await page.getByText(/^1,0\d\d files \(/).waitFor();
    await button(page, "Empty trash").click();
    await page.getByText("The trash is empty").waitFor();
    expect((await holdall.trash.list()).items).toEqual([]);
  });

  test("shows server errors where the action was taken", async () => {
    await trash("errors", ["stays.txt"]);
    const { page } = await showTrash();
    await item(page, "stays.txt").waitFor();
    await failWith500("**/api/trash/restore")(page);
    await button(page, "Restore stays.txt").click();
    await page.getByText("Unexpected server error").first().waitFor();
    await item(page, "stays.txt").waitFor();
    // When the change stream opens, the list is read again without the button.
    await page.route("**/api/changes*", (route) => route.fulfill({ status: 204 }));
    await failWith500("**/api/trash?*")(page);
    await page.reload();
    await page.getByText("Couldn't load the trash").waitFor();
    await page.unroute("**/api/trash?*");
    await button(page, "Try again").click();
    await item(page, "stays.txt").waitFor();
  });
});

test("without a trash, a deletion asks first and is permanent", async () => {
  const { holdall } = fixture.seed;
  await holdall.settings.change({ trashDays: 0 });
  try {
    const { page } = await show("final", ["a.txt"]);
    await page.waitForFunction(() => document.querySelector("[role=grid] a") !== null);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("heading", { name: "Delete “a.txt” permanently?" }).waitFor();
    await button(page, "Delete permanently").click();
    await page.getByText("Deleted “a.txt” permanently.").first().waitFor();
    expect(await button(page, "Undo").count()).toBe(0);
    expect((await api(fixture.server).get("/api/trash")).status).toBe(200);

    // The server refuses while the dashboard has not read the settings. Then the dashboard asks.
    const unread = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [400] });
    await fixture.seed.file("final/b.txt");
    await unread.page.route("**/api/settings", () => undefined);
    await unread.page.goto("/files/final");
    await row(unread.page, "b.txt").waitFor();
    await unread.page.getByRole("grid").focus();
    await unread.page.keyboard.press("Delete");
    await unread.page.getByRole("heading", { name: "Delete “b.txt” permanently?" }).waitFor();
    await row(unread.page, "b.txt").waitFor();
    expect(await unread.page.getByText("trashDays").count()).toBe(0);
    await button(unread.page, "Delete permanently").click();
    await unread.page.getByText("Deleted “b.txt” permanently.").first().waitFor();
    await row(unread.page, "b.txt").waitFor({ state: "detached" });
  } finally {
    await holdall.settings.change({ trashDays: null });
  }
});
