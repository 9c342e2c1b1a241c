import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { button, line, moveSelected, panel } from "./operations-panel.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";
import { select } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const show = async (folder: string, files: readonly string[]): Promise<Page> =>
  (await showFolder(fixture, folder, files)).page;

/** Lets requests reach the server, and holds its responses back. */
async function holdResponses(page: Page, url: string, method: string) {
  const released = Promise.withResolvers<void>();
  let count = 0;
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    count += 1;
    await released.promise;
    await route.fulfill({ response });
  });
  return {
    until: (wanted: number) => eventually(`${wanted} responses are held`, () => count >= wanted),
    count: () => count,
    release: () => released.resolve(),
  };
}

const foldersIn = async (key: string): Promise<string[]> => {
  const { folders } = await fixture.seed.holdall.folders.browse({ key });
  return folders.map(({ name }) => name).toSorted();
};

async function showTrashOf(name: string): Promise<Page> {
  const { holdall } = fixture.seed;
  await fixture.seed.file(`stoptrash/${name}`);
  const { id } = await holdall.files.getByKey(`stoptrash/${name}`);
  await holdall.files.delete(id, { trash: true });
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404, 429] });
  await page.goto("/trash");
  await button(page, `Restore ${name}`).waitFor();
  return page;
}

test("a stopped move says what the request that ran has done, which can be undone", async () => {
  const page = await show("stopmove", ["one/x.txt", "two/x.txt", "into/x.txt"]);
  const moves = await holdResponses(page, "**/api/folders", "PUT");
  await select("one")(page);
  await select("two")(page);
  await moveSelected(page, "into");
  await moves.until(1);
  await button(page, "Stop: Moving 2 items to “into”").press("Enter");
  await line(page, "Stopping…").waitFor();
  moves.release();
  const stopped = line(page, "Moved 1 item to “into”.");
  await stopped.getByText("Stopped after 1 of 2.").waitFor();
  expect(await stopped.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(moves.count()).toBe(1);
  expect((await foldersIn("stopmove/into")).length).toBe(1);

  await stopped.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").first().waitFor();
  expect(await foldersIn("stopmove")).toEqual(["into", "one", "two"]);
});

test("a stopped undo counts the items that are back", async () => {
  const page = await show("stopundo", ["one/x.txt", "two/x.txt", "into/x.txt"]);
  const moves = await holdResponses(page, "**/api/folders", "PUT");
  await select("one")(page);
  await select("two")(page);
  await moveSelected(page, "into");
  await line(page, "Moving 2 items to “into”").waitFor();
  moves.release();
  const moved = line(page, "Moved 2 items to “into”.");
  await moved.waitFor();
  const moving = await holdResponses(page, "**/api/folders", "PUT");
  await moved.getByRole("button", { name: "Undo" }).click();
  await moving.until(1);
  await button(page, "Stop: Moving 2 items back").click();
  await line(page, "Stopping…").waitFor();
  moving.release();
  await line(page, "Moved 1 item back.").getByText("Stopped after 1 of 2.").waitFor();
  expect((await foldersIn("stopundo/into")).length).toBe(1);
});

test("the second click of a double click on Stop all does not close the panel", async () => {
  const page = await show("stoptwice", ["one/x.txt", "two/x.txt", "into/x.txt"]);
  const moves = await holdResponses(page, "**/api/folders", "PUT");
  await select("one")(page);
  await select("two")(page);
  await moveSelected(page, "into");
  await moves.until(1);
  await button(page, "Stop all").click();
  moves.release();
  const close = panel(page).getByRole("button", { name: "Close" });
  await close.hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await line(page, "Moved 1 item to “into”.").waitFor();
  await close.click();
  await panel(page).waitFor({ state: "detached" });
});

test("entries that a move asks about count as done after the answer", async () => {
  const page = await show("stopcount", ["a.txt", "b.txt", "into/a.txt"]);
  const first = await holdResponses(page, "**/api/files", "PUT");
  await select("a.txt")(page);
  await select("b.txt")(page);
  await moveSelected(page, "into");
  await line(page, "0 of 2").waitFor();
  // A single request, which the server completes.
  expect(await page.getByRole("button", { name: /^Stop/ }).count()).toBe(0);
  first.release();
  await line(page, "1 of 2 · Waiting for your answer.").waitFor();
  const second = await holdResponses(page, "**/api/files", "PUT");
  await page.getByRole("dialog").getByRole("button", { name: "Keep both" }).click();
  await second.until(1);
  await line(page, "1 of 2").waitFor();
  second.release();
  await line(page, "Moved 2 items to “into”.").waitFor();
});

test("emptying the trash cannot be stopped, and says if nothing was left", async () => {
  const page = await showTrashOf("emptied.txt");
  const released = Promise.withResolvers<void>();
  await page.route("**/api/trash", async (route) => {
    if (route.request().method() !== "DELETE") return route.fallback();
    await released.promise;
    const error = { message: "The trash is empty." };
    await route.fulfill({ status: 404, json: { data: null, error } });
  });
  await button(page, "Empty trash…").click();
  await button(page, "Empty trash").click();
  await line(page, "Emptying the trash").waitFor();
  expect(await page.getByRole("button", { name: /^Stop/ }).count()).toBe(0);
  for (const name of ["Restore emptied.txt", "Delete emptied.txt permanently"]) {
    expect(await button(page, name).getAttribute("aria-disabled")).toBe("true");
  }
  released.resolve();
  await line(page, "Nothing was left to delete.").waitFor();
  await eventually("the row is enabled again", async () => {
    const restore = button(page, "Restore emptied.txt");
    return (await restore.getAttribute("aria-disabled")) === null;
  });
});

test("an operation begins even if the settings are refused", async () => {
  const page = await showTrashOf("refused.txt");
  const json = { data: null, error: { message: "Too many requests" } };
  await page.route("**/api/settings", (route) =>
    route.fulfill({ status: 429, headers: { "Retry-After": "3600" }, json }),
  );
  await page.reload();
  await button(page, "Restore refused.txt").click();
  await page.getByText("Restored “refused.txt” to “stoptrash”.").first().waitFor();
});
