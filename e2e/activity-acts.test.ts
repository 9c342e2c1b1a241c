import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { waitForActivity } from "./wait-for-activity.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  // So that three requests delete five files.
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0", MAX_DELETE_BATCH: "2" });
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The lines of the page about moves, restores and so on, newest first. */
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

test("a move in several requests is one line, which opens, and grows while one looks", async () => {
  await fixture.seed.many("Many", 230);
  await fixture.seed.file("Target/x.txt");
  const { holdall } = fixture.seed;
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const activity = await followActivity(page);
  const { files } = await holdall.folders.browse({ key: "Many" }, { limit: 300 });
  const target = await holdall.folders.browse({ key: "Target" }, { limit: 0 });
  await page.goto("/files/Target");
  for (let from = 0; from < 230; from += 100) {
    const ids = files.slice(from, from + 100).map(({ id }) => id);
    await page.evaluate(
      async (change) => {
        const headers = { "Content-Type": "application/json" };
        const body = JSON.stringify(change);
        const response = await fetch("/api/files", { method: "PUT", headers, body });
        if (!response.ok) throw new Error(await response.text());
      },
      { ids, folderId: target.folder.id },
    );
  }
  const line = lines(activity, "You moved 230 files from Many to Target");
  await line.waitFor();
  expect(await lines(activity, "files from Many").count()).toBe(1);

  const opener = line.getByRole("button", { name: "3 entries" });
  expect(await opener.getAttribute("aria-expanded")).toBe("false");
  await opener.focus();
  await activity.keyboard.press("Enter");
  const entries = line.getByRole("list", { name: "Entries" }).getByRole("listitem");
  expect(await entries.locator("p").allTextContents()).toEqual(
    ["30", "100", "100"].map((count) =>
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
  await lines(activity, "You moved 2 files from From to To, but could not move 1 other").waitFor();

  await moveAll(page, "From", "To");
  await page.getByRole("dialog").getByText("“b.txt” already exists in “To”.").waitFor();
  await button(page, "Keep both").click();
  await lines(
    activity,
    /You could not move b\.txt from From to To.*Failed.*already exists/,
  ).waitFor();
  await lines(activity, "You moved b.txt from From to To").waitFor();
});

test("new entries appear after older pages have been loaded", async () => {
  const { holdall } = fixture.seed;
  const numbers = Array.from({ length: 150 }, (_, at) => at);
  await Promise.all(numbers.map((number) => holdall.folders.create(`pages/${number}`)));
  await holdall.folders.create("pages/last");
  await waitForActivity(holdall, ({ subject }) => subject?.key === "pages/last");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const older = page.waitForResponse((response) => response.url().includes("cursor="));
  await page.goto("/activity");
  await lines(page, "created the folder last").waitFor();
  const main = page.getByRole("main");
  await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await older;
  await main.evaluate((element) => element.scrollTo(0, 0));
  await holdall.folders.create("pages/new");
  await lines(page, "created the folder new").waitFor();
  await lines(page, "created the folder last").waitFor();
});

test("hundreds of entries on one line do not load page after page", async () => {
  const { holdall } = fixture.seed;
  for (let from = 0; from < 450; from += 50) {
    const names = Array.from({ length: 50 }, (_, at) => `Single/${from + at}.txt`);
    await Promise.all(names.map((name) => fixture.seed.file(name)));
  }
  await fixture.seed.file("Single/last.txt");
  await waitForActivity(holdall, ({ subject }) => subject?.key === "Single/last.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("cursor=")) requests += 1;
  });
  await page.goto("/activity");
  await button(page, "Load more").waitFor();
  expect(requests).toBe(3);
  await button(page, "Load more").click();
  await lines(page, "uploaded 451 files to Single").waitFor();
});
