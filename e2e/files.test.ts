import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { showFolder } from "./show-folder.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const show = async (folder: string, files: readonly string[]): Promise<Page> =>
  (await showFolder(fixture, folder, files)).page;

describe("by keyboard", () => {
  test("creates a folder, and selects, renames, moves and deletes files", async () => {
    const page = await show("keys", ["a.txt", "b.txt", "c.txt", "d.txt"]);
    await button(page, "New folder").focus();
    // Types without waiting for the dialog, as users do.
    await page.keyboard.press("Enter");
    await page.keyboard.type("target");
    await page.keyboard.press("Enter");
    await row(page, "target").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("1 selected").first().waitFor();

    await page.getByRole("grid").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByText("2 selected").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("2 selected").first().waitFor({ state: "hidden" });

    await page.keyboard.press("F2");
    await page.keyboard.type("renamed");
    await page.keyboard.press("Enter");
    await row(page, "renamed.txt").waitFor();
    await expectNames(page, ["target", "a.txt", "b.txt", "d.txt", "renamed.txt"]);

    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await button(page, "Move to…").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("treeitem", { name: "target" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await dialog.getByText("To “keys/target”").waitFor();
    await dialog.getByRole("button", { name: "Move here" }).focus();
    await page.keyboard.press("Enter");
    await row(page, "a.txt").waitFor({ state: "detached" });
    await expectNames(page, ["target", "d.txt", "renamed.txt"]);

    await page.getByRole("grid").focus();
    await row(page, "target").getByText("2 files", { exact: true }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByText("Moved 3 items to the trash.").first().waitFor();
    await page.getByText("This folder is empty").waitFor();
  });

  test("opens and leaves folders, with browser history", async () => {
    const page = await show("walk/deep", ["a.txt"]);
    await page.goto("/files/walk");
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await row(page, "a.txt").waitFor();
    expect(new URL(page.url()).pathname).toBe("/files/walk/deep");
    await page.goBack();
    await row(page, "deep").waitFor();
    await page.goForward();
    await row(page, "a.txt").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await row(page, "deep").waitFor();
  });
});

describe("by mouse", () => {
  test("selects ranges and single files, and drags them onto a folder", async () => {
    const page = await show("mouse", ["1.txt", "2.txt", "3.txt", "4.txt", "into/x.txt"]);
    const size = (name: string) => row(page, name).getByRole("gridcell").nth(3);
    await size("1.txt").click();
    await size("3.txt").click({ modifiers: ["Shift"] });
    await size("2.txt").click({ modifiers: ["ControlOrMeta"] });
    await page.getByText("2 selected").first().waitFor();
    await size("3.txt").dragTo(row(page, "into"));
    await page.getByText("Moved 2 items to “into”.").first().waitFor();
    await expectNames(page, ["into", "2.txt", "4.txt"]);
  });

  test("shows a name conflict at the rename field", async () => {
    const page = await show("taken", ["one.txt", "two.txt"]);
    await row(page, "one.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.keyboard.type("two");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Name already taken" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").filter({ hasText: "two.txt" }).waitFor();
    await page.keyboard.press("Escape");
    await expectNames(page, ["one.txt", "two.txt"]);
  });

  test("keeps the order in the URL", async () => {
    const page = await show("order", ["a.txt", "b.txt"]);
    await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
    await page.waitForURL("**sort=name&dir=desc**");
    await page.waitForFunction(
      () => document.querySelector("[role=grid] a")?.textContent === "b.txt",
    );
    await page.reload();
    await page.getByRole("grid").waitFor();
    await expectNames(page, ["b.txt", "a.txt"]);
  });
});

describe("files", () => {
  test("can be made private and opened by a signed link", async () => {
    const page = await show("links", ["secret.txt"]);
    await row(page, "secret.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Make private" }).click();
    await row(page, "secret.txt").getByText("Private").waitFor();
    expect((await fetch(`${fixture.server.url}/api/hosting/links/secret.txt`)).status).toBe(404);

    await button(page, "Share…").click();
    await page.getByText("For developers").click();
    await page.getByLabel("Expires in").selectOption("1 hour");
    await button(page, "Create signed URL").click();
    const link = page.getByRole("figure").filter({ hasText: "Signed URL" }).first().locator("code");
    await page.getByText(/^Signed URL created.* Expires .*\d{4}/).waitFor();
    expect(await (await fetch((await link.textContent()) ?? "")).text()).toBe("Hello");
  });

  test("with markup in their names are shown as text", async () => {
    const name = '<img src=x onerror="document.title=1">.txt';
    const page = await show("markup", [name]);
    await row(page, name).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText(`Moved “${name}” to the trash.`).first().waitFor();
    expect(await page.title()).toBe("markup · Holdall");
  });
});

test("shows the size of folders, in the list and in the grid", async () => {
  const page = await show("sizes", ["inside/a.txt", "inside/deep/b.txt"]);
  const line = row(page, "inside");
  await line.getByText("2 files", { exact: true }).waitFor();
  expect(await line.getByRole("gridcell").nth(3).textContent()).toBe("10 B");
  await fixture.seed.file("sizes/inside/c.txt");
  await button(page, "New folder").click();
  await page.getByLabel("Name", { exact: true }).fill("empty");
  await page.keyboard.press("Enter");
  await line.getByText("3 files", { exact: true }).waitFor();
  // A change that the page hears of may be shown before the dialog closes.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Grid" }).click({ force: true });
  await page.getByText("3 files · 15 B").waitFor();
});

test("scrolls 5,000 files and selects them all", async () => {
  await fixture.seed.many("many", 5_000);
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/many");
  await page.getByText("note-00001.txt").waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await page.getByText("5,000 selected").first().waitFor();
  await page.keyboard.press("End");
  await page.getByText("note-05000.txt").waitFor();

  // A list of this length is not refetched: changed files are inserted in place.
  let pages = 0;
  page.on("request", (request) => {
    if (request.url().includes("limit=1000")) pages += 1;
  });
  await page.keyboard.press("End");
  await page.keyboard.press("F2");
  await page.keyboard.type("aaa");
  await page.keyboard.press("Enter");
  await row(page, "note-05000.txt").waitFor({ state: "detached" });
  await fixture.seed.file("many/zzz.txt");
  await button(page, "New folder").click();
  await page.getByLabel("Name", { exact: true }).fill("later");
  await page.keyboard.press("Enter");
  await row(page, "later").waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, "zzz.txt").waitFor();
  await page.keyboard.press("Home");
  await row(page, "later").waitFor();
  await page.waitForFunction(
    (expected) =>
      [...document.querySelectorAll("[role=grid] a")]
        .slice(0, 3)
        .map((link) => link.textContent)
        .join() === expected,
    ["later", "aaa.txt", "note-00001.txt"].join(),
  );
  expect(pages).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test("shows a banner while the server is unreachable, and recovers", async () => {
  const page = await show("away", ["a.txt"]);
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.goto("/files/away").catch(() => {});
  await page.getByText("Can't reach the server").waitFor();
  await page.unroute("**/api/**");
  await row(page, "a.txt").waitFor();
  await page.getByText("Can't reach the server").waitFor({ state: "hidden" });
});

test("a folder that cannot be loaded says so in its place, and is shown after the outage", async () => {
  const page = await show("outage", ["a.txt", "inside/b.txt"]);
  // The script of the message is loaded with the first input.
  await page.keyboard.press("Shift");
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await row(page, "inside").getByRole("link").click();
  await page.getByRole("heading", { name: "Couldn't load the folder" }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByText("outage").waitFor();
  await page.context().setOffline(false);
  await row(page, "b.txt").waitFor();
});

test("does not show a change that did not reach the server", async () => {
  const page = await show("midway", ["a.txt", "b.txt"]);
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await row(page, "a.txt").getByRole("gridcell").nth(3).click();
  await page.keyboard.press("Delete");
  await page.getByText("Can't reach the server").first().waitFor();
  await row(page, "a.txt").waitFor();
  await page.unroute("**/api/**");
  await page.getByText("Can't reach the server").first().waitFor({ state: "hidden" });
  await expectNames(page, ["a.txt", "b.txt"]);
});
