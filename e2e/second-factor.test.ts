import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { parseBase32, totpCode, totpStep } from "../server/lib/totp.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterAll(() => fixture.discard());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("two-step sign-in is set up, asked for at sign-in, and turned off", async () => {
  const { page } = await fixture.signedIn({
    reducedMotion: true,
    expectedStatuses: [400, 401, 403, 500],
  });
  await page.goto("/settings/security");
  await failWith500("**/auth/second-factor/secret")(page);
  await button(page, "Set up…").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Couldn't load the secret").waitFor();
  await page.unroute("**/auth/second-factor/secret");
  await button(page, "Try again").click();
  await dialog.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  const secret = (await dialog.getByRole("figure").locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(await axeViolations(page)).toEqual([]);
  const code = (skew: number) =>
    totpCode(parseBase32(secret) ?? new Uint8Array(), totpStep(Date.now()) + skew);
  await dialog.getByLabel("Code", { exact: true }).fill(code(9));
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await button(page, "Turn on").click();
  await dialog.getByText("The code does not match.").waitFor();
  await dialog.getByLabel("Code", { exact: true }).fill(code(0));
  await button(page, "Turn on").click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  const codes = ((await dialog.getByRole("figure").locator("code").textContent()) ?? "").split(
    "\n",
  );
  expect(codes).toHaveLength(10);
  await button(page, "I've saved them").click();
  await page.getByText("10 recovery codes left.").waitFor();

  const visitor = await fixture.anonymous({ reducedMotion: true, expectedStatuses: [401, 403] });
  await visitor.page.goto("/sign-in");
  await visitor.page.getByLabel("Email address").fill(EMAIL);
  await visitor.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await visitor.page.keyboard.press("Enter");
  await visitor.page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
  await visitor.page.keyboard.press("Enter");
  await visitor.page.waitForURL("**/files");

  await page.reload();
  await page.getByText("9 recovery codes left.").waitFor();
  await button(page, "Turn off…").click();
  await dialog.getByLabel("Code", { exact: true }).fill(codes[1] ?? "");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await button(page, "Turn off").click();
  await page.getByText("Only the password protects this account.").waitFor();
});
