import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { holdRequests } from "./hold-requests.ts";
import { button, line, moveSelected, panel } from "./operations-panel.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";
import { chooseForSelection, select } from "./steps.ts";

afterEach(async () => {
  await closeVisits();
  await fixture.seed.holdall.settings.change({ maxDeleteBatch: null });
});
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const show = (folder: string, files: readonly string[], expectedStatuses: number[] = []) =>
  showFolder(fixture, folder, files, expectedStatuses);

async function goTo(page: Page, title: string): Promise<void> {
  await page.getByRole("link", { name: title }).first().click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}

const holdMethod = (page: Page, url: string, method: string) =>
  holdRequests(page, url, (request) => request.method() === method);

const keysIn = async (folder: string): Promise<string[]> => {
  const { files } = await fixture.seed.holdall.folders.browse({ key: folder });
  return files.map(({ name }) => name).toSorted();
};

describe("an operation that takes long", () => {
  test("continues on other pages, which show its progress and what it did", async () => {
    const files = ["a.txt", "b.txt", "c.txt", "into/x.txt"];
    const { page, consoleErrors } = await show("opmove", files);
    const moves = await holdMethod(page, "**/api/files", "PUT");
    for (const name of ["a.txt", "b.txt", "c.txt"]) await select(name)(page);
    await moveSelected(page, "into");
    await goTo(page, "Activity");
    const running = line(page, "Moving 3 items to “into”");
    await running.getByText("0 of 3").waitFor();
    await panel(page).getByRole("heading", { name: "1 operation running" }).waitFor();

    const warning = page.waitForEvent("dialog");
    const leaving = page.evaluate(() => location.assign("/docs"));
    expect((await warning).type()).toBe("beforeunload");
    await (await warning).dismiss();
    await leaving;

    await moves.release();
    await line(page, "Moved 3 items to “into”.").waitFor();
    await panel(page).getByRole("heading", { name: "Finished" }).waitFor();
    expect(await keysIn("opmove/into")).toEqual(["a.txt", "b.txt", "c.txt", "x.txt"]);

    await goTo(page, "Settings");
    await button(page, "Undo").click();
    await page.getByText("Undone.").first().waitFor();
    expect(await keysIn("opmove")).toEqual(["a.txt", "b.txt", "c.txt"]);
    await panel(page).waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
  });

  test("is undone with Ctrl+Z, the latest first", async () => {
    const { page } = await show("opkeys", ["a.txt", "b.txt", "into/x.txt"]);
    const moves = await holdMethod(page, "**/api/files", "PUT");
    await select("a.txt")(page);
    await moveSelected(page, "into");
    await line(page, "Moving “a.txt” to “into”").waitFor();
    await moves.release();
    await line(page, "Moved 1 item to “into”.").waitFor();
    await expectNames(page, ["into", "b.txt"]);

    // What is not seen is not undone.
    await button(page, "Show less").click();
    await page.keyboard.press("Control+z");
    await button(page, "Show all operations").click();
    await line(page, "Moved 1 item to “into”.").waitFor();

    await row(page, "b.txt").getByRole("checkbox").click();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText("Moved “b.txt” to the trash.").first().waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Restored “b.txt” to “opkeys”.").first().waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Undone.").first().waitFor();
    await expectNames(page, ["into", "a.txt", "b.txt"]);
  });

  test("that failed says so", async () => {
    const { page } = await show("opfail", ["one/x.txt", "two/x.txt", "into/x.txt"], [500]);
    await select("one")(page);
    await select("two")(page);
    const failed = Promise.withResolvers<void>();
    await page.route("**/api/folders/copy", async (route) => {
      await failed.promise;
      await route.fulfill({ status: 500, json: { data: null, error: { message: "No luck" } } });
    });
    await chooseForSelection("Copy to…")(page);
    await page.getByRole("dialog").getByRole("treeitem", { name: "into", exact: true }).click();
    await button(page, "Copy here").click();
    await line(page, "Copying 2 items to “into”").waitFor();
    failed.resolve();
    await line(page, "No luck").waitFor();
    await panel(page).getByRole("heading", { name: "Finished with errors" }).waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await axeViolations(page)).toEqual([]);
    }
    await panel(page).getByRole("button", { name: "Close" }).click();
    await panel(page).waitFor({ state: "detached" });
  });
});

test("two operations at once have a line each, with their own results", async () => {
  const files = ["a.txt", "b.txt", "folder/x.txt", "into/x.txt"];
  const { page, consoleErrors } = await show("optwo", files);
  const moves = await holdMethod(page, "**/api/files", "PUT");
  const copies = await holdMethod(page, "**/api/folders/copy", "POST");
  await select("folder")(page);
  await chooseForSelection("Copy to…")(page);
  await page.getByRole("dialog").getByRole("treeitem", { name: "into", exact: true }).click();
  await button(page, "Copy here").click();
  await line(page, "Copying “folder” to “into”").waitFor();
  await select("folder")(page);
  await select("a.txt")(page);
  await select("b.txt")(page);
  await moveSelected(page, "into");
  await line(page, "Moving 2 items to “into”").getByText("0 of 2").waitFor();
  await panel(page).getByRole("heading", { name: "2 operations running" }).waitFor();
  await goTo(page, "API keys");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await axeViolations(page)).toEqual([]);
  }

  await moves.release();
  await line(page, "Moved 2 items to “into”.").waitFor();
  await panel(page).getByRole("heading", { name: "1 operation running" }).waitFor();
  await line(page, "Copying “folder” to “into”").waitFor();
  await copies.release();
  const copied = line(page, "Copied “folder” to “into”.");
  await copied.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Moved the copies to the trash.").first().waitFor();
  await line(page, "Moved 2 items to “into”.").waitFor();
  expect(await panel(page).getByRole("listitem").count()).toBe(1);
  expect(await keysIn("optwo/into")).toEqual(["a.txt", "b.txt", "x.txt"]);

  await button(page, "Show less").click();
  expect(await panel(page).getByRole("listitem").count()).toBe(0);
  await panel(page).getByRole("button", { name: "Close" }).click();
  await panel(page).waitFor({ state: "detached" });
  expect(consoleErrors).toEqual([]);
});

test("restores and permanent deletions continue on other pages", async () => {
  const { holdall } = fixture.seed;
  for (const name of ["back.txt", "gone.txt"]) {
    await fixture.seed.file(`optrash/${name}`);
    await holdall.files.delete((await holdall.files.getByKey(`optrash/${name}`)).id, {
      trash: true,
    });
  }
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const restores = await holdMethod(page, "**/api/trash/restore", "POST");
  const deletions = await holdMethod(page, "**/api/trash", "DELETE");
  await page.goto("/trash");
  await button(page, "Restore back.txt").click();
  await line(page, "Restoring 1 item").waitFor();
  await button(page, "Delete gone.txt permanently").click();
  await button(page, "Delete permanently").click();
  await line(page, "Deleting 1 item permanently").waitFor();
  await goTo(page, "Links");
  await restores.release();
  await line(page, "Restored “back.txt” to “optrash”.").waitFor();
  await deletions.release();
  await line(page, "Deleted 1 item permanently.").waitFor();
  expect(await keysIn("optrash")).toEqual(["back.txt"]);
});

test("visibility and deletions of many files count them", async () => {
  await fixture.seed.holdall.settings.change({ maxDeleteBatch: 50 });
  const names = Array.from({ length: 120 }, (_, at) => `${at}.txt`);
  const { page } = await show("opmany", names);
  const changes = await holdMethod(page, "**/api/files", "PUT");
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await chooseForSelection("Visibility…")(page);
  await button(page, "Make private").click();
  await line(page, "Making 120 items private").getByText("0 of 120").waitFor();
  await changes.release();
  await line(page, "Made 120 items private.").waitFor();

  let requests = 0;
  const second = Promise.withResolvers<void>();
  await page.route("**/api/files", async (route) => {
    requests += 1;
    if (requests > 1) await second.promise;
    await route.continue();
  });
  await button(page, "Delete").click();
  await line(page, "Moving 120 items to the trash").getByText("50 of 120").waitFor();
  second.resolve();
  await line(page, "Moved 120 items to the trash.").waitFor();
  expect(requests).toBe(3);
  expect(await keysIn("opmany")).toEqual([]);
  await line(page, "Moved 120 items to the trash.").getByRole("button", { name: "Undo" }).click();
  await page.getByText("Restored 120 items.").first().waitFor();
  expect((await keysIn("opmany")).length).toBe(120);
});

test("an action whose script could not be loaded says so, and works when it is tried again", async () => {
  await fixture.seed.file("opscript/a.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  // Cached scripts would not be requested.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const script = "**/app/all-operations-*";
  await page.route(script, (route) => route.abort("connectionrefused"));
  await page.goto("/files/opscript");
  await row(page, "a.txt").click();
  await page.keyboard.press("Delete");
  await page.getByText("Part of the dashboard couldn't be loaded.").first().waitFor();
  await page.unroute(script);
  await page.keyboard.press("Delete");
  await page.getByText("Moved “a.txt” to the trash.").first().waitFor();
  await eventually("it is gone", async () => (await keysIn("opscript")).length === 0);
});
