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
  for (const path of ["/docs/python", "/docs/sharing", "/docs/api"]) {
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
  await page.goto("/docs/api#uploadFiles");
  await page.locator("#uploadFiles").getByRole("tab", { name: "TypeScript" }).click();
  await page.goto("/docs/api#createLink");
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
  await phone.page.getByText("All guides", { exact: true }).click();
  await phone.page.getByRole("navigation", { name: "All guides" }).getByText("Webhooks").click();
  await phone.page.waitForURL("**/docs/webhooks");
});

test("without scripts, everything is there but the search", async () => {
  const { page } = await fixture.anonymous({ scripts: false });
  await page.goto("/docs/from-s3");
  expect(await page.getByText("new S3Client").isVisible()).toBe(true);
  expect(await page.getByText("import boto3").isVisible()).toBe(true);
  expect(await page.locator("#docs-search").isVisible()).toBe(false);
});
