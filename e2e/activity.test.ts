import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ActivityObject, Holdall } from "../sdk/src/holdall.ts";
import { type Bed, makeBed } from "./bed.ts";
import { endVisits } from "./browser.ts";

afterEach(endVisits);
let bed: Bed;
let ci: Holdall;
beforeAll(async () => {
  bed = await makeBed();
  const made = await bed.seed.holdall.keys.create("ci-deploy");
  ci = new Holdall({ url: bed.server.url, apiKey: made.secret });
});
afterAll(() => bed.discard());

/** What happens is noted within a second or so: waits until it can be read. */
async function noted(is: (event: ActivityObject) => boolean): Promise<void> {
  for (let round = 0; round < 300; round += 1) {
    const { activity } = await bed.seed.holdall.activity.list({ limit: 200 });
    if (activity.some(is)) return;
    await Bun.sleep(100);
  }
  throw new Error("It was never noted.");
}

const item = (page: Page, text: string | RegExp) =>
  page.getByRole("listitem").filter({ hasText: text }).first();

async function show(path = "/activity") {
  const visit = await bed.signedIn({ still: true, expected: [404, 500] });
  await visit.page.goto(path);
  await visit.page.getByRole("heading", { name: "Activity" }).waitFor();
  return visit;
}

describe("what happened", () => {
  test("is told in sentences below its day, failures apart, with ways to where it was", async () => {
    const files = ["a.png", "b.png", "c.png"].map((name) => ({ content: new Blob(["x"]), name }));
    await ci.files.uploadMany(files, { folder: "brand/logos" });
    const report = await ci.files.upload(new Blob(["x"]), { name: "report.pdf" });
    const notes = await ci.files.upload(new Blob(["x"]), { name: "notes.txt" });
    await ci.files.delete(report.id);
    const target = await ci.folders.create("elsewhere");
    await ci.files.rename(notes.id, "elsewhere").catch(() => undefined);
    await ci.files.rename(notes.id, "plans.txt");
    await ci.files.move(notes.id, target.id);
    await ci.files
      .upload(new Blob(["x"]), { name: "plans.txt", folder: "elsewhere" })
      .catch(() => undefined);
    await ci.account.signIn({ email: "eve@example.com", password: "wrong" }).catch(() => undefined);
    await noted(({ action, outcome }) => action === "signIn" && outcome === "failed");

    const { page, complaints } = await show();
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
    expect(await time.getAttribute("title")).toContain(String(new Date().getFullYear()));

    expect(await item(page, "deleted report.pdf").getByRole("link").count()).toBe(0);
    // The file has been renamed and moved since: the link goes to where it is now.
    await item(page, "renamed notes.txt").getByRole("link", { name: "notes.txt" }).click();
    await page.waitForURL("**/files/elsewhere?file=*");
    await page.getByRole("dialog", { name: "Preview of plans.txt" }).waitFor();
    await ci.files.delete(notes.id);
    await page.goBack();
    await item(page, "renamed notes.txt").getByRole("link", { name: "notes.txt" }).click();
    await page.getByText("“notes.txt” is no longer there.").first().waitFor();
    await page.waitForURL((url) => url.pathname === "/files" && url.search === "");
    await page.goBack();
    await item(page, "uploaded 3 files").getByRole("link", { name: "brand/logos" }).click();
    await page.waitForURL("**/files/brand/logos**");

    // What is read again on the way back knows nothing of the deletion yet.
    const readAgain = page
      .waitForResponse("**/api/activity?*", { timeout: 2000 })
      .catch(() => null);
    await page.goBack();
    await item(page, "uploaded 3 files").waitFor();
    await readAgain;
    await ci.folders.delete((await ci.folders.browse({ key: "brand" })).folder.id);
    await item(page, "uploaded 3 files").getByRole("link", { name: "brand/logos" }).click();
    await page.getByText("“brand/logos” is no longer there.").first().waitFor();
    await noted(({ action }) => action === "deleteFolder");
    await page.getByRole("button", { name: "Look again" }).click();
    await item(page, "deleted the folder brand with everything in it").waitFor();
    expect(await item(page, "uploaded 3 files").getByRole("link").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("is narrowed by filters, which the address keeps", async () => {
    await ci.files.upload(new Blob(["x"]), { name: "kept.txt", folder: "filters" });
    await noted(({ subject }) => subject?.key === "filters/kept.txt");
    await bed.seed.file("filters/other.txt");
    await noted(({ subject }) => subject?.key === "filters/other.txt");

    const { page } = await show();
    await page.getByLabel("Who").selectOption("Key ci-deploy");
    await page.getByLabel("Action").selectOption("Uploads");
    await page.getByLabel("Outcome").selectOption("Done only");
    await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await item(page, "uploaded kept.txt").waitFor();
    await item(page, "uploaded other.txt").waitFor({ state: "detached" });
    expect(page.url()).toMatch(/\?action=uploadFiles&actor=[\w-]+&outcome=done&time=hour$/);
    await page.reload();
    await item(page, "uploaded kept.txt").waitFor();
    expect(await page.getByLabel("Who").inputValue()).not.toBe("");

    await page.getByLabel("Action").selectOption("Sign-outs");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await page.getByRole("button", { name: "Show everything" }).click();
    await item(page, "uploaded other.txt").waitFor();
    expect(page.url()).toEndWith("/activity");

    await page.getByLabel("Time", { exact: true }).selectOption("Days of your choice…");
    await page.getByLabel("From").fill("2020-01-01");
    await page.getByLabel("to", { exact: true }).fill("2020-12-31");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    expect(page.url()).toContain("from=2020-01-01&to=2020-12-31");
    await page.getByRole("button", { name: "Clear" }).click();
    await item(page, "uploaded other.txt").waitFor();
  });

  test("of one key is a link away from the keys", async () => {
    await noted(({ actor }) => actor.kind === "key");
    const { page } = await show("/activity");
    await page.goto("/keys");
    await page.getByRole("link", { name: "Activity of ci-deploy" }).click();
    await item(page, "Key ci-deploy").waitFor();
    expect(await page.getByLabel("Who").locator("option:checked").textContent()).toBe(
      "Key ci-deploy",
    );
  });

  test("comes page by page as it is scrolled, and stays few elements", async () => {
    const numbers = Array.from({ length: 259 }, (_, at) => at + 2);
    await ci.folders.create("many/1");
    await noted(({ subject }) => subject?.key === "many/1");
    await Promise.all(numbers.map((number) => ci.folders.create(`many/${number}`)));
    await ci.folders.create("many/last");
    await noted(({ subject }) => subject?.key === "many/last");
    const { page } = await show("/activity?action=createFolder");
    await item(page, "created the folder last").waitFor();
    const main = page.getByRole("main");
    const oldest = page.getByRole("link", { name: "1", exact: true });
    for (let round = 0; round < 200; round += 1) {
      if (await oldest.count()) break;
      await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.waitForTimeout(50);
    }
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    expect(await oldest.count()).toBe(1);
  });
});

test("without activity the page teaches, and says how long it is kept", async () => {
  const quiet = await makeBed({ ACTIVITY_RETENTION_DAYS: "0" });
  const { page } = await quiet.signedIn({ still: true });
  await page.goto("/activity");
  await page.getByText("Activity is not kept on this instance.").waitFor();
  await quiet.discard();

  const { page: usual } = await show();
  await usual.getByText("It is kept for 90 days.").waitFor();
  await usual.getByRole("link", { name: "Change" }).click();
  await usual.waitForURL("**/settings#activity");
});

test("what was refused of the settings is told in the words of the page", async () => {
  const settings = bed.seed.holdall.settings.change({ defaultPresignSeconds: 700_000 });
  await settings.catch(() => undefined);
  await noted(({ action, outcome }) => action === "changeSettings" && outcome === "failed");
  const { page } = await show("/activity?outcome=failed");
  await item(
    page,
    /Failed.*“Usual lifetime of a link” must be at most “Longest lifetime of a link”/,
  ).waitFor();
});

test("a page that cannot be read is asked for again", async () => {
  const { page } = await bed.signedIn({ still: true, expected: [500] });
  const failing = {
    status: 500,
    json: { data: null, error: { message: "Unexpected server error" } },
  };
  await page.route("**/api/activity*", (route) => route.fulfill(failing));
  await page.goto("/activity");
  await page.getByText("The activity could not be read").waitFor();
  await page.unroute("**/api/activity*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Today" }).waitFor();
});

test("names in sentences stay text", async () => {
  const name = "<img src=x onerror=alert(1)>.txt";
  await bed.seed.file(name);
  await noted(({ subject }) => subject?.key === name);
  const { page, complaints } = await show(`/activity?action=uploadFiles`);
  await item(page, name).waitFor();
  expect(complaints).toEqual([]);
});
