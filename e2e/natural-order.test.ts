import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectNames } from "./expect-names.ts";
import { row } from "./row.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import { choose, waitForText } from "./upload-panel.ts";

const { fixture, local } = await startUploadFixture();

/** More than the first page of a folder has. */
const COUNT = 450;
const numbers = Array.from({ length: COUNT }, (_, at) => at + 1);
const nameOf = (number: number): string =>
  `${["file", "File", "FILE"][number % 3] ?? ""}${number}.txt`;

/** Every row of the folder fits on the screen, so that the list renders all of them. */
const TALL = { reducedMotion: true, width: 1280, height: 24_000 };

/** Files named by their numbers, not uploaded in their order. */
async function seedNumbered(folder: string): Promise<void> {
  // 7 and 450 have no common divisor, so each number comes once.
  const shuffled = numbers.map((number) => ((number * 7) % COUNT) + 1);
  for (let from = 0; from < COUNT; from += 100) {
    const files = shuffled
      .slice(from, from + 100)
      .map((number) => ({ content: new Blob([`${number}`]), name: nameOf(number) }));
    await fixture.seed.holdall.files.uploadMany(files, { folder });
  }
}

const show = (page: Page, folder: string, direction: "asc" | "desc"): Promise<unknown> =>
  page.goto(`/files/${folder}?sort=name&dir=${direction}&view=list`);

test("a folder of several pages has one natural order, both ways, also after uploads and renames", async () => {
  await seedNumbered("numbered");
  for (const folder of ["Trip 10", "trip 9"]) {
    await fixture.seed.holdall.folders.create(`numbered/${folder}`);
  }
  const { page, consoleErrors } = await fixture.signedIn(TALL);
  await show(page, "numbered", "asc");
  const folders = ["trip 9", "Trip 10"];
  const names = numbers.map(nameOf);
  await expectNames(page, [...folders, ...names]);

  const upload = async () => {
    await page.getByRole("button", { name: "Upload" }).first().click();
    await page.getByRole("menuitem", { name: "Files…" }).click();
  };
  await choose(page, upload, [local.file("FILE 3.txt"), local.file("file0300.txt")]);
  await waitForText(page, "2 uploaded");
  await row(page, nameOf(2)).click();
  await page.keyboard.press("F2");
  await page.keyboard.type("file401b");
  await page.keyboard.press("Enter");
  await row(page, "file401b.txt").waitFor();
  const changed = [
    "FILE 3.txt",
    ...names.slice(0, 300).filter((name) => name !== nameOf(2)),
    "file0300.txt",
    ...names.slice(300, 401),
    "file401b.txt",
    ...names.slice(401),
  ];
  await expectNames(page, [...folders, ...changed]);
  await page.reload();
  await expectNames(page, [...folders, ...changed]);

  await page.getByRole("button", { name: "Sort descending" }).click();
  await expectNames(page, [...folders.toReversed(), ...changed.toReversed()]);
  expect(consoleErrors).toEqual([]);
});

test("changes made elsewhere take their places in a folder of several pages", async () => {
  await seedNumbered("followed");
  const { page } = await fixture.signedIn(TALL);
  const following = page.waitForResponse((response) => response.url().includes("/api/changes"));
  await show(page, "followed", "desc");
  const names = numbers.map(nameOf).toReversed();
  await expectNames(page, names);
  await following;
  const { holdall } = fixture.seed;
  const { id } = await holdall.files.getByKey(`followed/${nameOf(9)}`);
  await holdall.files.rename(id, "FILE250 a.txt");
  await fixture.seed.file("followed/file1000.txt");
  const at = names.indexOf(nameOf(250));
  const changed = [
    "file1000.txt",
    ...names.slice(0, at),
    nameOf(250),
    "FILE250 a.txt",
    ...names.slice(at + 1).filter((name) => name !== nameOf(9)),
  ];
  await expectNames(page, changed);
});

test("the preview goes on to the next file of the natural order, over the end of a page", async () => {
  await seedNumbered("previewed");
  const { page } = await fixture.signedIn(TALL);
  await show(page, "previewed", "asc");
  await expectNames(page, numbers.map(nameOf));
  await row(page, nameOf(199)).dblclick();
  const dialog = page.getByRole("dialog");
  for (const number of [199, 200, 201, 202]) {
    await dialog.getByText(nameOf(number), { exact: true }).first().waitFor();
    await page.keyboard.press("ArrowRight");
  }
});
