import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { failWith500, select } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

/** Opens a folder with these files, each with its path as content. */
async function show(folder: string, files: readonly string[]): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`, `${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto(`/files/${folder}`);
  await page.getByRole("grid").waitFor();
  return page;
}

const question = (page: Page) => page.getByRole("dialog", { name: "Name already taken" });

async function decide(page: Page, name: string, decision: string): Promise<void> {
  await question(page).getByText(`“${name}” already exists`).waitFor();
  await question(page).getByRole("button", { name: decision, exact: true }).click();
}

async function contentAt(key: string): Promise<string> {
  const { holdall } = fixture.seed;
  const { id } = await holdall.files.getByKey(key);
  return new Response((await holdall.files.download(id)).body).text();
}

async function moveInto(page: Page, folder: string): Promise<void> {
  await page.getByRole("button", { name: "Move to…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Move/ });
  await dialog.getByRole("treeitem", { name: folder, exact: true }).click();
  await dialog.getByRole("button", { name: "Move here" }).click();
}

/** Types a new name without its extension, which stays. */
async function rename(page: Page, name: string, to: string): Promise<void> {
  await row(page, name).getByRole("gridcell").nth(3).click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: `New name for ${name}` }).waitFor();
  await page.keyboard.type(to);
  await page.keyboard.press("Enter");
}

/** As if the settings had never been read. */
async function withoutSettings(page: Page): Promise<void> {
  await failWith500("**/api/settings")(page);
  await page.reload();
  await page.getByRole("grid").waitFor();
}

async function withoutTrash(run: () => Promise<void>): Promise<void> {
  const { settings } = fixture.seed.holdall;
  await settings.change({ trashDays: 0 });
  try {
    await run();
  } finally {
    await settings.change({ trashDays: null });
  }
}

test("a move asks about each taken name, and can be undone with what it replaced", async () => {
  const page = await show("meet", ["a.txt", "b.txt", "c.txt", "d.txt"]);
  for (const name of ["a.txt", "b.txt", "c.txt"]) await fixture.seed.file(`meet/in-meet/${name}`);
  await row(page, "in-meet").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("checkbox", { name: "Select in-meet", exact: true }).click();
  await moveInto(page, "in-meet");
  await decide(page, "a.txt", "Replace");
  await decide(page, "b.txt", "Keep both");
  await decide(page, "c.txt", "Cancel");
  await page.getByText("Moved 3 items to “in-meet”.").first().waitFor();
  await expectNames(page, ["in-meet", "c.txt"]);
  expect(await contentAt("meet/in-meet/a.txt")).toBe("meet/a.txt");
  expect(await contentAt("meet/in-meet/b (2).txt")).toBe("meet/b.txt");

  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").first().waitFor();
  await expectNames(page, ["in-meet", "a.txt", "b.txt", "c.txt", "d.txt"]);
  expect(await contentAt("meet/in-meet/a.txt")).toBe("Hello");
  expect(await contentAt("meet/a.txt")).toBe("meet/a.txt");
});

test("one decision is for all files of a drag, but folders are not replaced", async () => {
  const page = await show("meets", ["a.txt", "b.txt", "sub/x.txt"]);
  for (const name of ["a.txt", "b.txt", "sub/y.txt"]) await fixture.seed.file(`meets/to/${name}`);
  await row(page, "to").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("checkbox", { name: "Select to", exact: true }).click();
  const size = row(page, "a.txt").getByRole("gridcell").nth(3);
  await size.dragTo(row(page, "to"));
  await question(page).getByText("“sub” already exists in “to”.").waitFor();
  expect(await question(page).getByRole("button", { name: "Replace" }).count()).toBe(0);
  await decide(page, "sub", "Keep both");
  await question(page).getByText("“a.txt” already exists").waitFor();
  await question(page).getByRole("checkbox", { name: "Apply to all 2" }).click();
  await decide(page, "a.txt", "Replace");
  await page.getByText("Moved 3 items to “to”.").first().waitFor();
  await expectNames(page, ["to"]);
  await page.goto("/files/meets/to");
  await expectNames(page, ["sub", "sub (2)", "a.txt", "b.txt"]);
  expect(await contentAt("meets/to/b.txt")).toBe("meets/b.txt");
});

test("the dialog says why entries cannot be moved to a folder", async () => {
  const page = await show("refused", ["a.txt", "b.txt", "sub/deep/c.txt"]);
  await select("sub")(page);
  await page.getByRole("button", { name: "Move to…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: /^Move/ });
  const choose = (name: string) =>
    dialog.getByRole("treeitem", { name, exact: true }).getByText(name, { exact: true }).click();
  await choose("sub");
  await dialog.getByText("You can't move a folder into itself.").waitFor();
  await choose("refused");
  await dialog.getByText("It's already here.").waitFor();
  expect(await dialog.getByRole("button", { name: "Move here" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await select("a.txt")(page);
  await page.getByRole("button", { name: "Move to…", exact: true }).click();
  await choose("refused");
  await dialog.getByText("They're already here.").waitFor();
});

test("a rename of a file or a folder can be undone", async () => {
  const page = await show("undone", ["one.txt", "sub/inner.txt"]);
  await rename(page, "one.txt", "two");
  await page.getByText("Renamed “one.txt” to “two.txt”.").first().waitFor();
  await expectNames(page, ["sub", "two.txt"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").first().waitFor();
  await expectNames(page, ["sub", "one.txt"]);
  await rename(page, "sub", "below");
  await page.getByText("Renamed “sub” to “below”.").first().waitFor();
  await expectNames(page, ["below", "one.txt"]);
  await page.keyboard.press("Control+z");
  await expectNames(page, ["sub", "one.txt"]);
});

test("a rename onto a taken name asks too", async () => {
  const page = await show("renames", ["one.txt", "two.txt"]);
  await rename(page, "one.txt", "two");
  await decide(page, "two.txt", "Keep both");
  await expectNames(page, ["two (2).txt", "two.txt"]);
  await fixture.seed.file("renames/one.txt", "new");
  await row(page, "one.txt").waitFor();
  await rename(page, "one.txt", "two");
  await decide(page, "two.txt", "Replace");
  await page.getByText("Replaced the file.").first().waitFor();
  await expectNames(page, ["two (2).txt", "two.txt"]);
  expect(await contentAt("renames/two.txt")).toBe("new");
  await page.keyboard.press("Control+z");
  await page.getByText("Undone.").first().waitFor();
  await expectNames(page, ["one.txt", "two (2).txt", "two.txt"]);
  expect(await contentAt("renames/two.txt")).toBe("renames/two.txt");
});

test("a file that is renamed onto a folder cannot replace it", async () => {
  const page = await show("onto", ["a.txt", "b.txt/inside.txt"]);
  await rename(page, "a.txt", "b");
  await question(page).getByText("“b.txt” already exists in “onto”.").waitFor();
  expect(await question(page).getByRole("button", { name: "Replace" }).count()).toBe(0);
  await decide(page, "b.txt", "Keep both");
  await expectNames(page, ["b.txt", "b (2).txt"]);
});

test("a replaced file goes to the trash if the settings cannot be read", async () => {
  const page = await show("unread", ["a.txt", "to/a.txt"]);
  await withoutSettings(page);
  await select("a.txt")(page);
  await moveInto(page, "to");
  await decide(page, "a.txt", "Replace");
  await page.getByText("Moved 1 item to “to”.").first().waitFor();
  expect(await contentAt("unread/to/a.txt")).toBe("unread/a.txt");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").first().waitFor();
  expect(await contentAt("unread/to/a.txt")).toBe("unread/to/a.txt");
  expect(await contentAt("unread/a.txt")).toBe("unread/a.txt");
});

test("nothing is replaced if the trash is off and the settings cannot be read", async () => {
  const page = await show("unknown", ["one.txt", "two.txt"]);
  await withoutTrash(async () => {
    await withoutSettings(page);
    await rename(page, "one.txt", "two");
    await decide(page, "two.txt", "Replace");
    await page.getByText("The trash is off, so nothing was replaced.").waitFor();
    expect(await contentAt("unknown/one.txt")).toBe("unknown/one.txt");
    expect(await contentAt("unknown/two.txt")).toBe("unknown/two.txt");
  });
});

test("without a trash, the question says that replaced files are deleted permanently", async () => {
  const page = await show("no-trash", ["a.txt", "b.txt", "to/a.txt", "to/b.txt"]);
  await withoutTrash(async () => {
    await page.reload();
    await select("a.txt")(page);
    await select("b.txt")(page);
    await moveInto(page, "to");
    await question(page).getByText("The replaced file is deleted permanently.").waitFor();
    await question(page).getByRole("checkbox", { name: "Apply to all 2" }).click();
    await question(page).getByText("The replaced files are deleted permanently.").waitFor();
    await decide(page, "a.txt", "Replace");
    await page.getByText("Moved 2 items to “to”.").first().waitFor();
  });
  expect(await contentAt("no-trash/to/b.txt")).toBe("no-trash/b.txt");
});

test("a file that got another name gets its old one back, even if the other is taken there", async () => {
  const page = await show("back", ["a.txt", "a (2).txt", "to/a.txt"]);
  await select("a.txt")(page);
  await moveInto(page, "to");
  await decide(page, "a.txt", "Keep both");
  await page.getByText("Moved 1 item to “to”.").first().waitFor();
  expect(await contentAt("back/to/a (2).txt")).toBe("back/a.txt");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").first().waitFor();
  expect(await contentAt("back/a.txt")).toBe("back/a.txt");
  expect(await contentAt("back/a (2).txt")).toBe("back/a (2).txt");
});

test("says why a file stays that could not be replaced after all", async () => {
  const page = await show("stays", ["a.txt", "to/a.txt"]);
  const { files, folders } = fixture.seed.holdall;
  await select("a.txt")(page);
  await moveInto(page, "to");
  await question(page).waitFor();
  await files.delete((await files.getByKey("stays/to/a.txt")).id);
  await folders.create("stays/to/a.txt");
  await decide(page, "a.txt", "Replace");
  await page.getByText('A folder named "a.txt" already exists in this folder.').first().waitFor();
  expect(await contentAt("stays/a.txt")).toBe("stays/a.txt");
});

test("the question stays when the page is left", async () => {
  const page = await show("left", ["a.txt", "to/a.txt"]);
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.locator("h1", { hasText: "Overview" }).waitFor();
  await page.goBack();
  await row(page, "a.txt").waitFor();
  await select("a.txt")(page);
  await moveInto(page, "to");
  await question(page).waitFor();
  await page.goForward();
  await page.locator("h1", { hasText: "Overview" }).waitFor();
  await decide(page, "a.txt", "Keep both");
  await page.getByText("Moved 1 item to “to”.").first().waitFor();
  expect(await contentAt("left/to/a (2).txt")).toBe("left/a.txt");
});
