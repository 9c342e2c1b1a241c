import { afterEach, expect, test } from "bun:test";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { sharedFixture } from "./shared-fixture.ts";

const fixture = await sharedFixture();
afterEach(closeVisits);

test("the search finds parts of guides by keyboard, and leads to them", async () => {
  const { page, consoleErrors } = await fixture.anonymous();
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.keyboard.type("pasword visits");
  const field = page.getByRole("combobox", { name: "Search the documents" });
  await page
    .getByRole("option", { name: /Share by links/ })
    .first()
    .waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/sharing**");
  await field.fill("zzzzqqq");
  await page.getByText("Nothing found.").waitFor();
  expect(consoleErrors).toEqual([]);
});

test.each([1440, 390])("the copy button covers no code, %d pixels wide", async (width) => {
  const { page } = await fixture.anonymous({ width });
  for (const path of ["/docs/python", "/docs/sharing", "/docs/api", "/docs/api/files"]) {
    await page.goto(path);
    const block = page.locator("figure.sample").first();
    const button = await block.getByRole("button", { name: "Copy" }).boundingBox();
    const code = await block.locator("code").boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
  }
});

test("an address without a document says so, and the search leads on", async () => {
  const { page, consoleErrors } = await fixture.anonymous({ expectedStatuses: [404] });
  const response = await page.goto("/docs/sharring");
  expect(response?.status()).toBe(404);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  await page.getByRole("combobox", { name: "Search the documents" }).fill("share");
  await page.getByRole("option").first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "guides" }).click();
  await page.waitForURL("**/docs");
  expect(consoleErrors).toEqual([]);
});

test("languages are tabs, and every block has the chosen one, on the next page too", async () => {
  const { page } = await fixture.anonymous();
  await page.goto("/docs/from-s3");
  const tab = (name: string) => page.getByRole("tab", { name }).first();
  expect(await tab("TypeScript").getAttribute("aria-selected")).toBe("true");
  await tab("TypeScript").press("ArrowRight");
  expect(await tab("Python").getAttribute("aria-selected")).toBe("true");
  await page.getByText("import boto3").waitFor();
  expect(await page.getByText("new S3Client").isVisible()).toBe(false);
  await page.goto("/docs/api/files#uploadFiles");
  await page.locator("#uploadFiles").getByRole("tab", { name: "TypeScript" }).click();
  await page.goto("/docs/api/links#createLink");
  const other = page.locator("#createLink").getByRole("tab", { name: "TypeScript" });
  expect(await other.getAttribute("aria-selected")).toBe("true");
});

test("examples have the reader's host, and a copied block is what is shown", async () => {
  const { page, context } = await fixture.anonymous();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/python");
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`export HOLDALL_URL=${fixture.server.url}\nexport HOLDALL_KEY=hd_…`);
  expect(await page.getByRole("button", { name: /new API key/ }).count()).toBe(0);
});

test("a signed-in reader gets a key for a day, only on request", async () => {
  const { page } = await fixture.signedIn();
  const { holdall } = fixture.seed;
  await page.goto("/files");
  await page.getByRole("heading", { name: "Files" }).first().waitFor();
  const keys = async () =>
    (await holdall.keys.list()).filter(({ name }) => name === "Examples in the documents");
  await page.goto("/docs/files-by-key");
  const before = (await keys()).length;
  await page.getByRole("button", { name: /new API key/ }).click();
  await page.getByText("The examples on this page have your new key").waitFor();
  const key = (await keys()).at(0);
  expect((await keys()).length).toBe(before + 1);
  expect(key?.actions.toSorted()).toEqual(["list", "read", "write"]);
  expect(key?.expiresAt).not.toBeNull();
  const code = await page.locator("main pre").first().textContent();
  expect(code).toContain(`API-Key: ${key?.prefix}`);
  await page.goto("/docs/trash");
  expect(await page.locator("main pre").first().textContent()).not.toContain("$HOLDALL_KEY");
});

test("the list at the side keeps its place, and the phone has it folded", async () => {
  const { page } = await fixture.anonymous({ width: 1440, height: 700 });
  await page.goto("/docs/durability");
  const list = page.getByRole("navigation", { name: "Guides", exact: true });
  const current = list.locator("[aria-current]");
  await current.waitFor();
  const place = await list.evaluate((node) => node.scrollTop);
  expect(place).toBeGreaterThan(0);
  await list.getByRole("link", { name: "Performance" }).click();
  await page.waitForURL("**/docs/performance");
  expect(Math.abs((await list.evaluate((node) => node.scrollTop)) - place)).toBeLessThan(60);
  const phone = await fixture.anonymous({ width: 390, height: 800 });
  await phone.page.goto("/docs/durability");
  await phone.page.getByText("Guides: all pages", { exact: true }).click();
  await phone.page
    .getByRole("navigation", { name: "Guides, all pages" })
    .getByText("Webhooks")
    .click();
  await phone.page.waitForURL("**/docs/webhooks");
});

test.each([
  ["POST /api/links", "Create a link for visitors", "links#createLink"],
  ["rotateKey", "Rotate an API key", "keys#rotateKey"],
  ["send a test event", "Send a test event", "webhooks#testWebhook"],
])("the search for %p finds the operation first, at its anchor", async (query, name, place) => {
  const { page } = await fixture.anonymous();
  await page.goto("/docs/sharing");
  await page.getByRole("combobox", { name: "Search the documents" }).fill(query);
  const first = page.getByRole("option").first();
  await first.waitFor();
  expect(await first.textContent()).toContain(name);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/docs/api/${place}`);
});

test("links to the one page of before lead to the operation, with and without scripts", async () => {
  const { page, consoleErrors } = await fixture.anonymous();
  for (const [old, now] of [
    ["/docs/api#createLink", "/docs/api/links#createLink"],
    ["/docs#createLink", "/docs/api/links#createLink"],
    ["/docs/api#trash-and-versions", "/docs/api/trash"],
    ["/docs/api#object-file", "/docs/api/objects#object-file"],
  ] as const) {
    await page.goto(old);
    await page.waitForURL(`**${now}`);
  }
  // The address is changed on the index itself.
  await page.goto("/docs/api");
  await page.evaluate(() => location.assign("#limits"));
  await page.waitForURL("**/docs/api/basics#limits");
  expect(consoleErrors).toEqual([]);

  const plain = await fixture.anonymous({ scripts: false });
  await plain.page.goto("/docs/api#createLink");
  const line = plain.page.locator(":target");
  expect(await line.textContent()).toContain("Create a link for visitors");
  expect(await line.isVisible()).toBe(true);
  await line.click();
  await plain.page.waitForURL("**/docs/api/links#createLink");
});

test("the reference leads from topic to topic, and the list at the side follows", async () => {
  const { page } = await fixture.anonymous({ width: 1440, height: 700 });
  await page.goto("/docs/api");
  await page.getByRole("link", { name: "Create a webhook" }).click();
  await page.waitForURL("**/docs/api/webhooks#createWebhook");
  const list = page.getByRole("navigation", { name: "API reference", exact: true });
  const marked = list.locator("[aria-current=location]");
  await marked.getByText("Create a webhook").waitFor();
  expect(await list.locator("[aria-current=page]").textContent()).toBe("Webhooks");
  await page.locator("#listDeliveries").evaluate((node) => node.scrollIntoView());
  await marked.getByText("List deliveries of a webhook").waitFor();
  await page.getByRole("link", { name: "Next API keys" }).click();
  await page.waitForURL("**/docs/api/keys");
  await page.getByRole("link", { name: "Previous Webhooks" }).click();
  await page.waitForURL("**/docs/api/webhooks");
});

test("the list at the side marks the last part of a page when a link leads to it", async () => {
  const { page } = await fixture.anonymous({ width: 1440, height: 1400 });
  await page.goto("/docs/api/webhooks");
  const list = page.getByRole("navigation", { name: "API reference", exact: true });
  const last = list.locator('a[href^="#"]').last();
  const href = await last.getAttribute("href");
  await last.click();
  await list.locator(`[aria-current=location][href="${href}"]`).waitFor();
});

test('the target of "Skip to the content" stays on the index of the documents', async () => {
  const { page } = await fixture.anonymous();
  await page.goto("/docs#content");
  await page.waitForLoadState("networkidle");
  expect(new URL(page.url()).pathname).toBe("/docs");
});

test("a phone has the operations of a topic in its page, and all topics folded", async () => {
  const { page } = await fixture.anonymous({ width: 390, height: 800 });
  await page.goto("/docs/api/keys");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Rotate an API key /api/keys/rotate" }).click();
  await page.waitForURL("**/docs/api/keys#rotateKey");
  const title = page.getByRole("heading", { name: "Rotate an API key" });
  // Below the header, which stays.
  const header = await page.getByRole("banner").boundingBox();
  await page.waitForFunction(() => scrollY > 0);
  const { y = 0 } = (await title.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(header?.height ?? 0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByText("API reference: all pages").click();
  const all = page.getByRole("navigation", { name: "API reference, all pages" });
  await all.getByRole("link", { name: "Folders" }).click();
  await page.waitForURL("**/docs/api/folders");
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const path of ["", "/basics", "/files", "/account", "/objects"]) {
    await page.goto(`/docs/api${path}`);
    expect(await width(), path).toBe(390);
  }
});

test("without scripts, everything is there but the search", async () => {
  const { page } = await fixture.anonymous({ scripts: false });
  await page.goto("/docs/from-s3");
  expect(await page.getByText("new S3Client").isVisible()).toBe(true);
  expect(await page.getByText("import boto3").isVisible()).toBe(true);
  expect(await page.locator("#docs-search").isVisible()).toBe(false);
});
