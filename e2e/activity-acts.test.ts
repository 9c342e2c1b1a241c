import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  // So that three requests delete five files.
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0", MAX_DELETE_BATCH: "2" });
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The lines of the page that tell of moves, restores and so on, newest first. */
const lines = (page: Page, text: string | RegExp) =>
  page
    .getByRole("list", { name: "Activity, newest first" })
    .locator(":scope > li")
    .filter({ hasText: text });

/** Opens the activity in another tab, which follows the changes from then on. */
async function followActivity(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  const following = other.waitForResponse((response) => response.url().includes("/api/changes"));
  await other.goto("/activity");
  await following;
  return other;
}

async function moveAll(page: Page, from: string, to: string): Promise<void> {
  await page.goto(`/files/${from}`);
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: to, exact: true }).click();
  await button(page, "Move here").click();
}

test("says from where to where files were moved, with links to both", async () => {
  for (const name of ["a", "b", "c"]) await fixture.seed.file(`Inbox/${name}.txt`);
  await fixture.seed.file("Photos/d.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const activity = await followActivity(page);
  await moveAll(page, "Inbox", "Photos");
  const line = lines(activity, "You moved 3 files from Inbox to Photos");
  await line.waitFor();
  expect(await line.getByRole("link").allTextContents()).toEqual(["Inbox", "Photos"]);
  expect(await line.getByRole("button").count()).toBe(0);

  await page.goto("/files/Photos");
  await row(page, "a.txt").click();
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: "Inbox", exact: true }).click();
  await button(page, "Move here").click();
  await lines(activity, "You moved a.txt from Photos to Inbox").waitFor();
  await line.getByRole("link", { name: "Inbox" }).click();
  await activity.waitForURL("**/files/Inbox");
});

test("a move of thousands is one line, which opens, and grows while one looks", async () => {
  await fixture.seed.many("Many", 2_300);
  await fixture.seed.file("Target/x.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const activity = await followActivity(page);
  let requests = 0;
  page.on("request", (request) => {
    if (request.method() === "PUT") requests += 1;
  });
  await moveAll(page, "Many", "Target");
  const line = lines(activity, "You moved 2,300 files from Many to Target");
  await line.waitFor();
  expect(requests).toBe(3);
  expect(await lines(activity, "files from Many").count()).toBe(1);

  const opener = line.getByRole("button", { name: "3 entries" });
  expect(await opener.getAttribute("aria-expanded")).toBe("false");
  await opener.focus();
  await activity.keyboard.press("Enter");
  const entries = line.getByRole("list", { name: "Entries" }).getByRole("listitem");
  expect(await entries.locator("p").allTextContents()).toEqual(
    ["300", "1,000", "1,000"].map((count) =>
      expect.stringContaining(`You moved ${count} files from Many to Target`),
    ),
  );
  await activity.keyboard.press("Enter");
  await entries.first().waitFor({ state: "detached" });
});

test("a deletion and a restore in several requests are one line each", async () => {
  for (const name of ["a", "b", "c", "d", "e"]) await fixture.seed.file(`Old/${name}.txt`);
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const activity = await followActivity(page);
  await page.goto("/files/Old");
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.getByText("Moved 5 items to the trash.").first().waitFor();
  await lines(activity, "You moved 5 files to the trash, including").waitFor();
  await page.keyboard.press("Control+z");
  await row(page, "e.txt").waitFor();
  await lines(activity, "You restored 5 items from the trash, including").waitFor();
  expect(await lines(activity, /trash, including/).count()).toBe(2);
});

test("what was refused has a line of its own", async () => {
  for (const name of ["a", "b", "c"]) await fixture.seed.file(`From/${name}.txt`);
  await fixture.seed.file("To/b.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await moveAll(page, "From", "To");
  await page.getByRole("dialog").getByText("“b.txt” already exists in “To”.").waitFor();
  await button(page, "Cancel").click();
  const activity = await followActivity(page);
  await lines(activity, "You moved 2 files from From to To").waitFor();

  await moveAll(page, "From", "To");
  await page.getByRole("dialog").getByText("“b.txt” already exists in “To”.").waitFor();
  await button(page, "Keep both").click();
  await lines(
    activity,
    /You could not move b\.txt from From to To.*Failed.*already exists/,
  ).waitFor();
  await lines(activity, "You moved b.txt from From to To").waitFor();
});
