import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { Holdall } from "../sdk/src/holdall.ts";
import { untilAfter } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0" });
});
afterAll(() => fixture.discard());

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const keyRow = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });

async function show(): Promise<{ page: Page; consoleErrors: readonly string[] }> {
  const { page, consoleErrors } = await fixture.signedIn({
    reducedMotion: true,
    expectedStatuses: [500],
  });
  await page.goto("/keys");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  return { page, consoleErrors };
}

const statusFor = (key: string): Promise<number> =>
  fetch(`${fixture.server.url}/api/files`, { headers: { "API-Key": key } }).then(
    ({ status }) => status,
  );

describe("a rotation", () => {
  test("shows the new secret once, and says how long the old one works", async () => {
    const { holdall } = fixture.seed;
    const { key, secret } = await holdall.keys.create("to rotate");
    const { page, consoleErrors } = await show();
    await button(page, "Rotate to rotate").click();
    await page.getByRole("heading", { name: "Rotate to rotate" }).waitFor();
    expect(await page.getByLabel("Old secret").inputValue()).toBe("86400");
    await button(page, "Rotate key").click();
    await page.getByRole("heading", { name: "The new secret of to rotate" }).waitFor();
    await button(page, "Copy API key").click();
    await button(page, "API key copied").waitFor();
    const second = await page.evaluate(() => navigator.clipboard.readText());
    expect(second).toStartWith("hd_");
    expect([await statusFor(secret), await statusFor(second)]).toEqual([200, 200]);
    await keyRow(page, "to rotate")
      .getByText(/^Old secret works until/)
      .waitFor();

    await button(page, "Rotate to rotate").click();
    await page.getByText("This key was rotated before").waitFor();
    await page.getByLabel("Old secret").selectOption("Stops working at once");
    await button(page, "Rotate key").click();
    await page.getByText(second).first().waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "The new secret of to rotate" }).waitFor();
    expect([await statusFor(secret), await statusFor(second)]).toEqual([401, 401]);
    await button(page, "I've saved it").click();
    expect(consoleErrors).toEqual([]);
    await holdall.keys.revoke(key.id);
  });
});

describe("a key", () => {
  test("is created, shown once with an example, renamed, and revoked", async () => {
    const { page, consoleErrors } = await show();
    await button(page, "Create API key").first().click();
    await page.getByLabel("Name", { exact: true }).fill("ci-deploy");
    await page.getByLabel("Expires").selectOption("After 30 days");
    await page.getByText(/^Works until /).waitFor();
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Your new key: ci-deploy" }).waitFor();
    const isCopied = button(page, "API key copied").waitFor();
    await button(page, "Copy API key").click();
    await isCopied;
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toStartWith("hd_");
    expect(await statusFor(secret)).toBe(200);
    const example = await page
      .getByRole("figure")
      .filter({ hasText: "Upload a file" })
      .textContent();
    expect(example).toContain(`API-Key: ${secret}`);
    await button(page, "I've saved it").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await keyRow(page, "ci-deploy")
      .getByText(/^Last used/)
      .waitFor();
    await keyRow(page, "ci-deploy").getByText("1 request in 30 days").waitFor();
    await keyRow(page, "ci-deploy")
      .getByText(/^Expires/)
      .waitFor();
    expect(await page.content()).not.toContain(secret);

    await button(page, "Rename ci-deploy").click();
    await page.getByLabel("New name for ci-deploy").fill("deploy");
    await page.keyboard.press("Escape");
    await button(page, "Rename ci-deploy").click();
    await page.getByLabel("New name for ci-deploy").fill("deploy");
    await page.keyboard.press("Enter");
    await keyRow(page, "deploy").waitFor();
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("aria-label") === "Rename deploy",
    );

    await button(page, "Revoke deploy").click();
    await page.getByRole("heading", { name: "Revoke deploy?" }).waitFor();
    await button(page, "Cancel").click();
    expect(await statusFor(secret)).toBe(200);
    await button(page, "Revoke deploy").click();
    await button(page, "Revoke key").click();
    await keyRow(page, "deploy").waitFor({ state: "detached" });
    expect(await statusFor(secret)).toBe(401);
    expect(consoleErrors).toEqual([]);
  });

  test("expires at a custom time, in the time zone shown", async () => {
    const { page } = await show();
    await button(page, "Create API key").first().click();
    await button(page, "Create API key").last().click();
    await page.getByText("Enter a name.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("until spring");
    await page.getByLabel("Expires").selectOption("Custom date and time…");
    await page.getByText("In your time zone: UTC.").waitFor();
    await page.getByLabel("Date and time").fill("2020-01-01T10:00");
    await page.getByText("This is in the past. Choose a later time.").waitFor();
    await button(page, "Create API key").last().click();
    const soon = new Date(Date.now() + 3 * 86_400_000);
    await page.getByLabel("Date and time").fill(`${soon.toISOString().slice(0, 10)}T10:00`);
    await button(page, "Create API key").last().click();
    await keyRow(page, "until spring")
      .getByText(/^Expires soon, in \d days?$/)
      .waitFor();
    const made = (await fixture.seed.holdall.keys.list()).find(
      ({ name }) => name === "until spring",
    );
    expect(made?.expiresAt).toStartWith(`${soon.toISOString().slice(0, 10)} `);
    const off =
      Date.parse(`${made?.expiresAt}Z`) - Date.parse(`${soon.toISOString().slice(0, 10)}T10:00Z`);
    expect(Math.abs(off)).toBeLessThanOrEqual(1_000);
  });

  test("is limited to actions and a folder, chosen by keyboard", async () => {
    await fixture.seed.holdall.folders.create("clients/acme");
    const { page, consoleErrors } = await show();
    await button(page, "Create API key").first().click();
    await page.getByLabel("Name", { exact: true }).fill("acme portal");
    await page.getByLabel("Access").selectOption("Custom…");
    for (const action of ["List", "Read"]) await page.getByLabel(action, { exact: true }).uncheck();
    await page.getByRole("radio", { name: "One folder" }).check();
    await button(page, "Create API key").last().click();
    await page.getByText("Choose at least one action.").waitFor();
    await page.getByText("Choose a folder.", { exact: true }).waitFor();
    await page.getByLabel("Read", { exact: true }).check();
    await page.getByLabel("Create keys").check();
    const clients = page.getByRole("treeitem", { name: "clients" });
    await page.getByRole("treeitem", { name: "Files" }).focus();
    while (!(await clients.evaluate((item) => item === document.activeElement))) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await page.getByText("Only “clients” and everything in it").waitFor();
    await button(page, "Create API key").last().click();
    await page.getByRole("heading", { name: "Your new key: acme portal" }).waitFor();

    const row = keyRow(page, "acme portal");
    await row.getByText("Read, create keys in").waitFor();
    await row.getByRole("link", { name: "clients" }).waitFor();
    const made = (await fixture.seed.holdall.keys.list()).find(
      ({ name }) => name === "acme portal",
    );
    expect(made).toMatchObject({ actions: ["read", "keys"], folder: { key: "clients" } });
    expect(consoleErrors).toEqual([]);
  });

  test("shows its parent, and names the keys that are revoked with it", async () => {
    const { holdall } = fixture.seed;
    const { secret } = await holdall.keys.create("service", { actions: ["list", "keys"] });
    const service = new Holdall({ url: fixture.server.url, apiKey: secret });
    await service.keys.create("service of ada", { actions: ["list"] });
    const { page } = await show();
    await keyRow(page, "service of ada").getByText("Created by service").waitFor();
    await button(page, "Revoke service").click();
    await page.getByText("The key that it created is revoked, too.").waitFor();
    await button(page, "Revoke key").click();
    await keyRow(page, "service of ada").waitFor({ state: "detached" });
  });

  test("is marked when it has expired, and then removed instead of revoked", async () => {
    const { expiresAt } = (await fixture.seed.holdall.keys.create("short", { expiresIn: 1 })).key;
    await untilAfter(Date.parse(`${expiresAt}Z`));
    const { page } = await show();
    await keyRow(page, "short")
      .getByText(/^Expired/)
      .waitFor();
    await button(page, "Remove short").click();
    await page.getByRole("heading", { name: "Remove short?" }).waitFor();
    await page.getByText("no app can use it").waitFor();
    await button(page, "Remove key").click();
    await page.getByText("Removed “short”.").first().waitFor();
    await keyRow(page, "short").waitFor({ state: "detached" });
  });

  test("shows its S3 credentials, ready to copy for each client", async () => {
    const { holdall } = fixture.seed;
    await holdall.folders.create("s3-media/raw");
    const { key } = await holdall.keys.create("nightly", { folder: "s3-media/raw" });
    const { accessKeyId, secretAccessKey } = await holdall.keys.s3(key.id);
    const { page, consoleErrors } = await show();
    await button(page, "S3 clients with nightly").click();
    const text = () => page.getByRole("dialog").textContent();
    await page.getByText("export AWS_SECRET_ACCESS_KEY=•").waitFor();
    expect(await text()).not.toContain(secretAccessKey);
    const isCopied = button(page, "Secret access key copied").waitFor();
    await button(page, "Copy Secret access key").click();
    await isCopied;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secretAccessKey);
    await button(page, "Copy Set up aws-cli in this shell").click();
    await button(page, "Set up aws-cli in this shell copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(secretAccessKey);
    await button(page, "Show secret access key").click();
    for (const client of ["aws-cli", "rclone", "restic", "s3cmd", "boto3", "JavaScript"]) {
      await page.getByLabel("Client", { exact: true }).selectOption(client);
      const { host } = new URL(fixture.server.url);
      for (const part of [accessKeyId, secretAccessKey, host]) expect(await text()).toContain(part);
      expect(await text()).toMatch(/s3-media\/raw|"s3-media", "raw\/|Key: "raw\//);
    }
    await button(page, "Close").last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secretAccessKey);
    expect(consoleErrors).toEqual([]);
  });

  test("says when its folder is not in a bucket", async () => {
    await fixture.seed.holdall.folders.create("No Bucket");
    await fixture.seed.holdall.keys.create("elsewhere", { folder: "No Bucket" });
    const { page } = await show();
    await button(page, "S3 clients with elsewhere").click();
    await page.getByText("The key's folder is not in a bucket.").waitFor();
  });

  test("with markup in its name is shown as text", async () => {
    const name = "<b onclick=alert(1)>bold</b>";
    await fixture.seed.holdall.keys.create(name);
    const { page } = await show();
    await keyRow(page, name).waitFor();
  });
});

test("finds one of hundreds of keys by a part of its name", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `device ${String(at + 1).padStart(3, "0")}`);
  await Promise.all(names.map((name) => fixture.seed.holdall.keys.create(name)));
  const { page } = await show();
  await page.getByLabel("Search keys").fill("DEVICE 27");
  await keyRow(page, "device 271").waitFor();
  expect(await page.getByRole("listitem").count()).toBe(10);
  await page.getByLabel("Search keys").fill("nowhere");
  await button(page, "Show all keys").click();
  await keyRow(page, "device 001").waitFor();
});

test("shows server errors where the action was taken", async () => {
  await fixture.seed.holdall.keys.create("steady");
  const { page } = await show();
  await failWith500("**/api/keys")(page);
  await button(page, "Rename steady").click();
  await page.getByLabel("New name for steady").fill("other");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Unexpected server error" }).waitFor();
  await page.keyboard.press("Escape");
  await button(page, "Revoke steady").click();
  await button(page, "Revoke key").click();
  await page.getByRole("dialog").getByText("Unexpected server error").waitFor();
  await page.reload();
  await page.getByText("Couldn't load API keys").waitFor();
  await page.unroute("**/api/keys");
  await button(page, "Try again").click();
  await keyRow(page, "steady").waitFor();
});
