import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { parseBase32, totpCode, totpStep } from "../server/lib/totp.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type VisitOptions, visit } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { addAuthenticator, atLocalhost, withoutSuggestions } from "./virtual-authenticator.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await createBrowserFixture();
});
afterEach(async () => {
  await closeVisits();
  await fixture.discard();
});

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialogOf = (page: Page) => page.getByRole("dialog");
const codeOf = (secret: string, skew: number) =>
  totpCode(parseBase32(secret) ?? new Uint8Array(), totpStep(Date.now()) + skew);

/** A page with its own authenticator, where somebody has signed in with the password. */
async function signedIn(options: VisitOptions = {}) {
  const { page } = await visit(atLocalhost(fixture.server.url), {
    reducedMotion: true,
    expectedStatuses: [401, 403],
    ...options,
  });
  const authenticator = await addAuthenticator(page);
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/files");
  return { page, authenticator };
}

async function startAdding(page: Page) {
  await page.goto("/settings/security");
  await button(page, "Add a passkey…").click();
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
}

async function signOut(page: Page) {
  await button(page, EMAIL).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
}

const passkeys = (page: Page) =>
  page.getByRole("region", { name: "Passkeys", exact: true }).getByRole("listitem");

test("a passkey is added, signs in, is renamed and removed", async () => {
  const { page, authenticator } = await signedIn();
  await withoutSuggestions(page);
  await startAdding(page);
  await dialogOf(page).getByLabel("Your password").fill("wrong");
  await button(page, "Continue").click();
  await dialogOf(page).getByText("The current password is wrong.").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await button(page, "Continue").click();
  await passkeys(page).filter({ hasText: "Chrome on" }).filter({ hasText: "Never used" }).waitFor();
  expect(await authenticator.count()).toBe(1);
  expect(await axeViolations(page)).toEqual([]);

  await page.reload();
  await signOut(page);
  await button(page, "Sign in with a passkey").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await button(page, "Sign in with a passkey").click();
  await page.waitForURL("**/files");

  await page.goto("/settings/security");
  await passkeys(page).filter({ hasText: "Last used" }).waitFor();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("an even longer password");
  await button(page, "Change password").click();
  await page.getByText("1 passkey can still sign in.").first().waitFor();
  await button(page, /^Rename Chrome/).click();
  await dialogOf(page).getByLabel("Name").fill("Laptop");
  await dialogOf(page).getByRole("button", { name: "Rename" }).click();
  await button(page, "Remove Laptop").click();
  await dialogOf(page).getByText("Remove “Laptop”?").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dialogOf(page).getByRole("button", { name: "Remove" }).click();
  await passkeys(page).waitFor({ state: "detached" });
  const offered = page.waitForResponse("**/auth/sign-in/passkey/options");
  await signOut(page);
  expect(await (await offered).json()).toEqual({ data: { options: null }, error: null });
  await page.getByLabel("Email address").waitFor();
  expect(await button(page, "Sign in with a passkey").count()).toBe(0);
});

test("a passkey is added with the code too, once more after a cancel, and signs in alone", async () => {
  const { page, authenticator } = await signedIn();
  await withoutSuggestions(page);
  await page.goto("/settings/security");
  await button(page, "Set up…").click();
  const code = dialogOf(page).getByLabel("Code", { exact: true });
  const secret = (await dialogOf(page).getByRole("figure").locator("code").textContent()) ?? "";
  await code.fill(codeOf(secret, 0));
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await button(page, "Turn on").click();
  await button(page, "I've saved them").click();

  await startAdding(page);
  const used = codeOf(secret, 1);
  await code.fill(used);
  await authenticator.setVerified(false);
  await button(page, "Continue").click();
  await dialogOf(page).getByRole("alert").filter({ hasText: /./ }).first().waitFor();
  await authenticator.setVerified(true);
  await button(page, "Try again").click();
  await passkeys(page).waitFor();
  await startAdding(page);
  await code.fill(used);
  await button(page, "Continue").click();
  await dialogOf(page).getByText("The code is wrong, or was used before.").waitFor();
  await button(page, "Cancel").click();

  await signOut(page);
  await button(page, "Sign in with a passkey").click();
  await page.waitForURL("**/files");
});

test("a passkey signs in from the suggestions of the email field", async () => {
  const { page, authenticator } = await signedIn();
  await startAdding(page);
  await button(page, "Continue").click();
  await passkeys(page).waitFor();
  await authenticator.setPresent(false);
  await signOut(page);
  await button(page, "Sign in with a passkey").waitFor();
  // A virtual authenticator chooses as soon as somebody touches it.
  await authenticator.setPresent(true);
  await page.reload();
  await page.waitForURL("**/files");
});

test("the browser asks for nothing after the dialog was closed", async () => {
  const { page, authenticator } = await signedIn();
  await withoutSuggestions(page);
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async (route: Route) => {
    asked.resolve();
    await released.promise;
    await route.continue().catch(() => undefined);
  };
  await page.route("**/auth/passkeys/options", hold, { times: 1 });
  await startAdding(page);
  await page.evaluate(() => {
    const create = navigator.credentials.create.bind(navigator.credentials);
    navigator.credentials.create = (options) => {
      document.body.append("Made. ");
      return create(options);
    };
  });
  await button(page, "Continue").click();
  await asked.promise;
  await button(page, "Cancel").click();
  await dialogOf(page).waitFor({ state: "detached" });
  released.resolve();
  await button(page, "Add a passkey…").click();
  await dialogOf(page).getByLabel("Your password").fill(PASSWORD);
  await button(page, "Continue").click();
  await passkeys(page).waitFor();
  expect(await authenticator.count()).toBe(1);
  expect((await page.locator("body").textContent())?.split("Made. ")).toHaveLength(2);
});

test("the sign-in page gets a new challenge when the computer wakes up", async () => {
  const { page } = await signedIn();
  await withoutSuggestions(page);
  await startAdding(page);
  await button(page, "Continue").click();
  await passkeys(page).waitFor();
  await signOut(page);
  await button(page, "Sign in with a passkey").waitFor();
  const renewed = page.waitForResponse("**/auth/sign-in/passkey/options");
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 5 * 60_000;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  expect((await renewed).status()).toBe(200);
});

test("a page at an IP address says where passkeys work, and offers none", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/settings/security");
  const section = page.getByRole("region", { name: "Passkeys", exact: true });
  await section.getByText("Passkeys need a host name.").waitFor();
  const { port } = new URL(fixture.server.url);
  expect(await section.getByRole("link").getAttribute("href")).toBe(
    `http://localhost:${port}/settings/security`,
  );
  expect(await button(page, "Add a passkey…").count()).toBe(0);
});
