import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0" });
});
afterAll(() => fixture.discard());

const link = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens the Share dialog of an entry. */
async function share(folder: string, name: string) {
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  const { page } = visit;
  await page.goto(`/files/${folder}`);
  await row(page, name).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share…" }).click();
  await page.getByRole("heading", { name: `Share “${name}”` }).waitFor();
  return visit;
}

async function showLinks() {
  const visit = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await visit.page.goto("/links");
  await visit.page.getByRole("heading", { name: "Links" }).waitFor();
  return visit;
}

test("opening Share makes and copies a link, whose settings are changed and which is revoked", async () => {
  await fixture.seed.file("trips/harbour/a.txt", "inside", "private");
  const { page, consoleErrors } = await share("trips", "harbour");
  await page.getByText("Link created and copied.").waitFor();
  const { links } = await fixture.seed.holdall.links.list();
  const made = links.find(({ subject }) => subject.key === "trips/harbour");
  expect(made).toMatchObject({ kind: "read", hasPassword: false, usesLeft: null, title: null });
  expect(made?.expiresAt).not.toBeNull();
  expect(await copied(page)).toBe(`${fixture.server.url}/${made?.url}`);
  await button(page, "QR code").click();
  await page.getByRole("img", { name: "QR code of the link to harbour" }).waitFor();

  await page.getByRole("dialog").getByText("Settings", { exact: true }).click();
  await page.getByLabel("Expires").selectOption("After 30 days");
  await page.getByLabel("Maximum visits").fill("none");
  await page.keyboard.press("Enter");
  await page.getByText("Enter a whole number of at least 1").waitFor();
  await page.getByLabel("Maximum visits").fill("5");
  await page.getByLabel("Title").fill("Harbour, for you");
  await page.getByLabel("Ask for a password").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("gull & tide");
  await page.keyboard.press("Enter");
  await button(page, "Save settings").and(page.locator(":disabled")).waitFor();
  const { links: after } = await fixture.seed.holdall.links.list();
  expect(after.find(({ id }) => id === made?.id)).toMatchObject({
    url: made?.url,
    title: "Harbour, for you",
    hasPassword: true,
    usesLeft: 5,
  });

  await button(page, "Revoke link…").click();
  await page.getByText("Everyone who has the link loses access at once.").waitFor();
  await button(page, "Revoke link").click();
  await button(page, "Create link").waitFor();
  await button(page, "Done").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByText("Undo").count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

test("a second Share copies the same link, and the first one can be undone", async () => {
  await fixture.seed.file("again/a.txt", "inside", "private");
  const { page } = await share("again", "a.txt");
  const linksOf = async () =>
    (await fixture.seed.holdall.links.list()).links.filter(
      ({ subject }) => subject.key === "again/a.txt",
    );
  await page.getByText("Link created and copied.").waitFor();
  const url = await copied(page);
  await page.keyboard.press("Escape");
  await page.getByText("Link to “a.txt” created.").first().waitFor();
  await row(page, "a.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await page
    .getByText(/^Link copied. Anyone with it can open it until/)
    .first()
    .waitFor();
  expect(await copied(page)).toBe(url);
  expect(await linksOf()).toHaveLength(1);
  expect((await fetch(url)).status).toBe(200);
  await button(page, "Undo").first().click();
  await page.getByText("Link revoked.").first().waitFor();
  expect(await linksOf()).toEqual([]);
});

test("an upload request has limits for each visitor", async () => {
  await fixture.seed.holdall.folders.create("requests/inbox");
  const { page } = await share("requests", "inbox");
  await page.getByText("Link created and copied.").waitFor();
  await page.getByRole("radio", { name: "Upload request" }).check();
  await page.getByText("Anyone with the link can send files into this folder.").waitFor();
  await button(page, "Create link").click();
  await page.getByText("Link created and copied.").waitFor();
  await page.getByRole("dialog").getByText("Settings", { exact: true }).click();
  await page.getByLabel("Maximum files per upload").fill("20");
  await page.getByLabel("Maximum size per upload").fill("1.5");
  await page.getByLabel("Unit of the size").selectOption("GiB");
  await button(page, "Save settings").click();
  await button(page, "Save settings").and(page.locator(":disabled")).waitFor();
  const { links } = await fixture.seed.holdall.links.list();
  const found = links.filter(({ subject }) => subject.key === "requests/inbox");
  expect(found.find(({ kind }) => kind === "drop")).toMatchObject({
    maxFiles: 20,
    maxBytes: 1.5 * 1024 ** 3,
  });
});

test("a link has the default lifetime of the settings, and at most the maximum", async () => {
  const { settings } = fixture.seed.holdall;
  await fixture.seed.file("days/a.txt", "inside", "private");
  await settings.change({ defaultLinkDays: 0, maxLinkDays: 3 });
  try {
    const { page } = await share("days", "a.txt");
    await page.getByText("Link created and copied.").waitFor();
    await page.getByRole("dialog").getByText("Settings", { exact: true }).click();
    expect(await page.getByLabel("Expires").locator("option").allTextContents()).toEqual([
      ...["After 1 hour", "After 1 day", "After 3 days", "Custom date and time…"],
    ]);
  } finally {
    await settings.change({ defaultLinkDays: null, maxLinkDays: null });
  }
});

test("a signed URL has the default lifetime, and at most the maximum of the settings", async () => {
  const { settings } = fixture.seed.holdall;
  await fixture.seed.file("signed/a.txt", "inside", "private");
  await settings.change({ defaultPresignSeconds: 2 * 3_600, maxPresignSeconds: 5 * 86_400 });
  try {
    const { page } = await share("signed", "a.txt");
    await page.getByText("Link created and copied.").waitFor();
    await page.getByText("For developers").click();
    const lifetime = page.getByLabel("Expires in");
    await page.getByText("At most 5 days on this server.").waitFor();
    expect(await lifetime.locator("option:checked").textContent()).toBe("2 hours");
    expect(await lifetime.locator("option").allTextContents()).toEqual([
      ...["15 minutes", "1 hour", "2 hours", "1 day", "3 days", "5 days"],
      "Custom date and time…",
    ]);

    await lifetime.selectOption("Custom date and time…");
    const time = page.getByLabel("Date and time");
    await time.fill("2100-01-01T00:00");
    await page.getByText("Choose a time within 5 days").waitFor();
    const inThreeHours = await page.evaluate(() => {
      const at = new Date(Date.now() + 3 * 3_600_000);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    });
    await time.fill(inThreeHours);
    await button(page, "Create signed URL").click();
    await page.getByText("Signed URL created and copied.").waitFor();
    const url = await copied(page);
    expect(await (await fetch(url)).text()).toBe("inside");
    const hours = (Number(new URL(url).searchParams.get("exp")) * 1_000 - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(3);
  } finally {
    await settings.change({ defaultPresignSeconds: null, maxPresignSeconds: null });
  }
});

test("sharing a public file shows its URL, and makes no link until one is wanted", async () => {
  await fixture.seed.file("open/a.txt", "for all");
  await fixture.seed.file("open/b.txt", "for some", "private");
  const { page } = await share("open", "a.txt");
  await button(page, "Copy Public URL").click();
  await button(page, "Public URL copied").waitFor();
  expect(await copied(page)).toBe(`${fixture.server.url}/api/hosting/open/a.txt`);
  await button(page, "Create link").waitFor();
  await button(page, "Done").click();
  const { links } = await fixture.seed.holdall.links.list();
  expect(links.filter(({ subject }) => subject.key === "open/a.txt")).toEqual([]);
  await row(page, "b.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share…" }).click();
  await page.getByRole("heading", { name: "Share “b.txt”" }).waitFor();
  expect(await page.getByText("Public URL").count()).toBe(0);
});

test("the Links page lists links of all files, and those that no longer work", async () => {
  const { holdall } = fixture.seed;
  await fixture.seed.file("listed/report.txt");
  await fixture.seed.file("listed/old.txt");
  const report = await holdall.files.getByKey("listed/report.txt");
  const old = await holdall.files.getByKey("listed/old.txt");
  await holdall.links.create({ fileId: report.id, title: "Report", downloadOnly: true });
  await holdall.links.create({ fileId: old.id, title: "Old" });
  const revoked = await holdall.links.create({ fileId: old.id, title: "Withdrawn" });
  await holdall.links.revoke(revoked.id);
  const { undoId } = await holdall.files.delete(old.id, { trash: true });

  const { page, consoleErrors } = await showLinks();
  await link(page, "Report").getByText("Downloads only").waitFor();
  await link(page, "Old").getByText("Unavailable").waitFor();
  expect(await link(page, "Withdrawn").count()).toBe(0);
  await page.getByLabel("Show revoked links").check();
  await link(page, "Withdrawn").getByText("Revoked").waitFor();
  expect(await button(page, "Revoke Withdrawn").count()).toBe(0);
  await holdall.trash.restore({ undoId: undoId ?? "" });
  await page.reload();
  await link(page, "Old").waitFor();
  expect(await link(page, "Old").getByText("Unavailable").count()).toBe(0);

  await link(page, "Report").getByRole("link", { name: "listed/report.txt" }).click();
  await page.getByRole("dialog", { name: "Preview of report.txt" }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("shows server errors where the action was taken", async () => {
  await fixture.seed.file("failing/a.txt");
  const { page } = await share("failing", "a.txt");
  await failWith500("**/api/links")(page);
  await button(page, "Create link").click();
  await page.getByRole("dialog").getByText("Unexpected server error").first().waitFor();
  await failWith500("**/api/links?*")(page);
  await page.goto("/links");
  await page.getByText("Couldn't load links").waitFor();
  await page.unrouteAll();
  await button(page, "Try again").click();
  await page.getByText("Couldn't load links").waitFor({ state: "detached" });
});
