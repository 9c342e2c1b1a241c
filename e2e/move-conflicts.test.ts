import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

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

test("a rename onto a taken name asks too", async () => {
  const page = await show("renames", ["one.txt", "two.txt"]);
  const rename = async (to: string) => {
    await row(page, "one.txt").getByRole("gridcell").nth(3).click();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name for one.txt" }).waitFor();
    await page.keyboard.type(to);
    await page.keyboard.press("Enter");
  };
  await rename("two");
  await decide(page, "two.txt", "Keep both");
  await expectNames(page, ["two (2).txt", "two.txt"]);
  await fixture.seed.file("renames/one.txt", "new");
  await row(page, "one.txt").waitFor();
  await rename("two");
  await decide(page, "two.txt", "Replace");
  await page.getByText("Replaced the file.").first().waitFor();
  await expectNames(page, ["two (2).txt", "two.txt"]);
  expect(await contentAt("renames/two.txt")).toBe("new");
  await page.keyboard.press("Control+z");
  await page.getByText("Undone.").first().waitFor();
  await expectNames(page, ["one.txt", "two (2).txt", "two.txt"]);
  expect(await contentAt("renames/two.txt")).toBe("renames/two.txt");
});
