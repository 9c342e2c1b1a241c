import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ActivityObject, Holdall } from "../sdk/src/holdall.ts";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { failWith500 } from "./steps.ts";
import { waitForActivity } from "./wait-for-activity.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
let ci: Holdall;
beforeAll(async () => {
  fixture = await createBrowserFixture();
  const made = await fixture.seed.holdall.keys.create("ci-deploy");
  ci = new Holdall({ url: fixture.server.url, apiKey: made.secret });
});
afterAll(() => fixture.discard());

const waitForEvent = (matches: (event: ActivityObject) => boolean) =>
  waitForActivity(fixture.seed.holdall, matches);

const item = (page: Page, text: string | RegExp) =>
  page.getByRole("listitem").filter({ hasText: text }).first();

/** Stops the page's clock at the latest event, so that midnight cannot come between the two. */
async function stopClock(page: Page): Promise<Date> {
  const [latest] = (await fixture.seed.holdall.activity.list({ limit: 1 })).activity;
  const time = new Date(`${latest?.at}Z`);
  await page.clock.setFixedTime(time);
  return time;
}

/** Holds the list back that a page reads: until `release` it shows the one that it has. */
async function holdActivity(page: Page): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/activity?*", async (route) => {
    await promise;
    await route.fallback().catch(() => undefined);
  });
  return { release: resolve };
}

async function show(path = "/activity") {
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404, 500] });
  await visit.page.goto(path);
  await visit.page.getByRole("heading", { name: "Activity" }).waitFor();
  return visit;
}

describe("the activity page", () => {
  test("describes events in sentences by day, marks failures, and links to files and folders", async () => {
    const files = ["a.png", "b.png", "c.png"].map((name) => ({ content: new Blob(["x"]), name }));
    await ci.files.uploadMany(files, { folder: "brand/logos" });
    const report = await ci.files.upload(new Blob(["x"]), { name: "report.pdf" });
    const notes = await ci.files.upload(new Blob(["x"]), { name: "notes.txt" });
    await ci.files.delete(report.id);
    const target = await ci.folders.create("elsewhere");
    await ci.files.rename(notes.id, "elsewhere").catch(() => undefined);
    await ci.files.rename(notes.id, "plans.txt");
    await ci.files.move(notes.id, { folderId: target.id });
    await ci.files
      .upload(new Blob(["x"]), { name: "plans.txt", folder: "elsewhere" })
      .catch(() => undefined);
    await ci.account.signIn({ email: "eve@example.com", password: "wrong" }).catch(() => undefined);
    await waitForEvent(({ action, outcome }) => action === "signIn" && outcome === "failed");

    const { page, consoleErrors } = await show();
    const now = await stopClock(page);
    await page.reload();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await item(page, "Key ci-deploy uploaded 3 files to brand/logos").waitFor();
    await item(page, "Key ci-deploy deleted report.pdf").waitFor();
    await item(page, "Key ci-deploy renamed notes.txt to plans.txt").waitFor();
    await item(
      page,
      /Sign-in as eve@example.com failed from .*Failed.*email address or the password/,
    ).waitFor();
    await item(page, /Key ci-deploy could not upload files.*Failed.*plans.txt/).waitFor();
    const time = item(page, "Key ci-deploy deleted report.pdf").locator("time");
    expect(await time.getAttribute("title")).toContain(String(now.getUTCFullYear()));

    expect(await item(page, "deleted report.pdf").getByRole("link").count()).toBe(0);
    // The file has been renamed and moved since: the link opens its current location.
    await item(page, "renamed notes.txt").getByRole("link", { name: "notes.txt" }).click();
    await page.waitForURL("**/files/elsewhere?file=*");
    await page.getByRole("dialog", { name: "Preview of plans.txt" }).waitFor();
    const beforeDeletion = await holdActivity(page);
    await ci.files.delete(notes.id);
    await page.goBack();
    await item(page, "renamed notes.txt").getByRole("link", { name: "notes.txt" }).click();
    await page.getByText("“notes.txt” no longer exists.").first().waitFor();
    await page.waitForURL((url) => url.pathname === "/files" && url.search === "");
    beforeDeletion.release();
    await page.goBack();
    await item(page, "uploaded 3 files").getByRole("link", { name: "brand/logos" }).click();
    await page.waitForURL("**/files/brand/logos**");

    const beforeFolderDeletion = await holdActivity(page);
    await page.goBack();
    await item(page, "uploaded 3 files").waitFor();
    await ci.folders.delete((await ci.folders.browse({ key: "brand" })).folder.id);
    await item(page, "uploaded 3 files").getByRole("link", { name: "brand/logos" }).click();
    await page.getByText("“brand/logos” no longer exists.").first().waitFor();
    await waitForEvent(({ action }) => action === "deleteFolder");
    beforeFolderDeletion.release();
    await page.getByRole("button", { name: "Refresh" }).click();
    await item(page, "deleted the folder brand and everything in it").waitFor();
    expect(await item(page, "uploaded 3 files").getByRole("link").count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  test("keeps its filters in the URL", async () => {
    await ci.files.upload(new Blob(["x"]), { name: "kept.txt", folder: "filters" });
    await waitForEvent(({ subject }) => subject?.key === "filters/kept.txt");
    await fixture.seed.file("filters/other.txt");
    await waitForEvent(({ subject }) => subject?.key === "filters/other.txt");

    const { page } = await show();
    await page.getByLabel("Who").selectOption("Key ci-deploy");
    await page.getByLabel("Action").selectOption("Uploads");
    await page.getByLabel("Result").selectOption("Succeeded");
    await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await item(page, "uploaded kept.txt").waitFor();
    await item(page, "uploaded other.txt").waitFor({ state: "detached" });
    await page.waitForURL(/\?action=uploadFiles&actor=[\w-]+&outcome=done&time=hour$/);
    await page.reload();
    await item(page, "uploaded kept.txt").waitFor();
    expect(await page.getByLabel("Who").inputValue()).not.toBe("");

    await page.getByLabel("Action").selectOption("Sign-outs");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await page.getByRole("button", { name: "Show all activity" }).click();
    await item(page, "uploaded other.txt").waitFor();
    await page.waitForURL(/\/activity$/);

    await page.getByLabel("Time", { exact: true }).selectOption("Custom range…");
    await page.getByLabel("From").fill("2020-01-01");
    await page.getByLabel("to", { exact: true }).fill("2020-12-31");
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    await page.waitForURL(/from=2020-01-01&to=2020-12-31/);
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await item(page, "uploaded other.txt").waitFor();
  });

  test("is searched by key, name and address, and exported as it is shown", async () => {
    for (const name of ["Pâté.txt", "cheese.txt"]) {
      await ci.files.upload(new Blob(["x"]), { name, folder: "searched" });
      await waitForEvent(({ subject }) => subject?.key === `searched/${name}`);
    }
    const { page } = await show();
    await item(page, "cheese.txt").waitFor();
    await page.getByRole("searchbox", { name: "Search activity" }).fill("searched/pate");
    await item(page, "cheese.txt").waitFor({ state: "detached" });
    await item(page, "Pâté.txt").waitFor();
    await page.waitForURL(/\/activity\?q=searched%2Fpate$/);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "As a table (CSV)" }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("activity.csv");
    const rows = (await Bun.file(await saved.path()).text()).trimEnd().split("\r\n");
    expect(rows.length).toBe(2);
    expect(rows[1]).toContain(",searched/Pâté.txt,");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await item(page, "cheese.txt").waitFor();
    expect(await page.getByRole("searchbox", { name: "Search activity" }).inputValue()).toBe("");
  });

  test("shows uploads without their first steps, which the filter has", async () => {
    await ci.batches.create({ folder: "steps" });
    await ci.uploads.create({ folder: "steps", name: "later.bin", size: 5 });
    await ci.files.upload(new Blob(["x"]), { name: "step.txt", folder: "steps" });
    await waitForEvent(({ subject }) => subject?.key === "steps/step.txt");
    const { page } = await show();
    await item(page, "uploaded step.txt to steps").waitFor();
    const steps = page
      .getByRole("listitem")
      .filter({ hasText: /created an upload URL|a batch in/ });
    expect(await steps.count()).toBe(0);
    await page.getByLabel("Action").selectOption("New batches");
    await item(page, "started a batch in the folder steps").waitFor();
  });

  test("shows the activity of one key, linked from the keys page", async () => {
    await waitForEvent(({ actor }) => actor.kind === "key");
    const { page } = await show("/activity");
    await page.goto("/keys");
    await page.getByRole("link", { name: "Activity of ci-deploy" }).click();
    await item(page, "Key ci-deploy").waitFor();
    expect(await page.getByLabel("Who").locator("option:checked").textContent()).toBe(
      "Key ci-deploy",
    );
  });

  test("loads pages while scrolling and renders only the rows in view", async () => {
    const numbers = Array.from({ length: 259 }, (_, at) => at + 2);
    await ci.folders.create("many/1");
    await waitForEvent(({ subject }) => subject?.key === "many/1");
    await Promise.all(numbers.map((number) => ci.folders.create(`many/${number}`)));
    await ci.folders.create("many/last");
    await waitForEvent(({ subject }) => subject?.key === "many/last");
    const { page } = await show("/activity?action=createFolder");
    await item(page, "created the folder last").waitFor();
    const main = page.getByRole("main");
    const oldest = page.getByRole("link", { name: "1", exact: true });
    await eventually("the oldest is shown", async () => {
      await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return (await oldest.count()) > 0;
    });
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    expect(await oldest.count()).toBe(1);
  });
});

test("explains an empty log, and shows how long activity is kept", async () => {
  const quiet = await createBrowserFixture({ ACTIVITY_RETENTION_DAYS: "0" });
  const { page } = await quiet.signedIn({ reducedMotion: true });
  await page.goto("/activity");
  await page.getByText("This instance does not keep activity.").waitFor();
  await quiet.discard();

  const { page: main } = await show();
  await main.getByText("Kept for 90 days.").waitFor();
  await main.getByRole("link", { name: "Change" }).click();
  await main.waitForURL("**/settings/activity");
});

test("shows a refused settings change with the labels of the settings page", async () => {
  const settings = fixture.seed.holdall.settings.change({ defaultPresignSeconds: 700_000 });
  await settings.catch(() => undefined);
  await waitForEvent(({ action, outcome }) => action === "changeSettings" && outcome === "failed");
  const { page } = await show("/activity?outcome=failed");
  await item(
    page,
    /Failed.*“Default signed URL lifetime” must be at most “Maximum signed URL lifetime”/,
  ).waitFor();
});

test("offers a retry if the activity cannot be loaded", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await stopClock(page);
  await failWith500("**/api/activity*")(page);
  await page.goto("/activity");
  await page.getByText("Couldn't load activity").waitFor();
  await page.unroute("**/api/activity*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Today" }).waitFor();
});

test("escapes markup in names", async () => {
  const name = "<img src=x onerror=alert(1)>.txt";
  await fixture.seed.file(name);
  await waitForEvent(({ subject }) => subject?.key === name);
  const { page, consoleErrors } = await show(`/activity?action=uploadFiles`);
  await item(page, name).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("is cleared after a confirmation, which says that this is recorded", async () => {
  const own = await createBrowserFixture();
  await own.seed.file("cleared.txt");
  const { page } = await own.signedIn({ reducedMotion: true });
  await page.goto("/activity");
  await item(page, "cleared.txt").waitFor();
  await page.getByRole("button", { name: "Clear…" }).click();
  await page.getByLabel("Delete", { exact: true }).selectOption("All activity");
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await page
    .getByText(/^Deleted \d+ entr/)
    .first()
    .waitFor();
  await item(page, "cleared.txt").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await item(page, /deleted \d+ entr(y|ies) of the activity log/).waitFor();
  await own.discard();
});
