import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePort } from "../test/free-port.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { type RealProvider, startMockServer, startOidcProvider } from "./oidc-provider.ts";

afterEach(closeVisits);

const environmentOf = (port: number, provider: RealProvider) => ({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: "Example ID",
  OIDC_OWNERS: "group:admins",
  OIDC_ALLOWED: "@example.org",
});

const providerLink = (page: Page) => page.getByRole("link", { name: "Sign in with Example ID" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Fills in the provider's page. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await button(page, "Continue").click();
}

/** The email address that the dashboard shows. */
const whoIs = (page: Page) =>
  page.evaluate(async () => (await (await fetch("/auth/session")).json()).data?.account?.email);

describe("with oidc-provider", () => {
  let provider: RealProvider;
  let fixture: BrowserFixture;
  beforeAll(async () => {
    const port = await freePort();
    provider = await startOidcProvider(`http://127.0.0.1:${port}`);
    fixture = await createBrowserFixture(environmentOf(port, provider));
    await fixture.seed.file("photos/one.txt");
  });
  afterAll(async () => {
    await fixture.discard();
    await provider.stop();
  });

  test("a person signs in, comes back to the page, and signs out there, too", async () => {
    const { page, consoleErrors } = await fixture.anonymous({ reducedMotion: true });
    await page.goto("/files/photos?view=grid");
    await page.waitForURL("**/sign-in?to=*");
    expect(await axeViolations(page)).toEqual([]);
    await providerLink(page).click();
    await signInAs(page, "root");
    await page.waitForURL("**/files/photos?view=grid");
    expect(await whoIs(page)).toBe("root@example.org");

    await page.goto("/files");
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${provider.issuer}/session/end?*`);
    await button(page, "Sign out").click();
    await page.waitForURL("**/sign-in*");
    await providerLink(page).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("whoever cancels at the provider gets a page that leads back", async () => {
    const { page } = await fixture.anonymous({ reducedMotion: true, expectedStatuses: [401] });
    await page.goto("/sign-in");
    await providerLink(page).click();
    await button(page, "Cancel").click();
    await page.getByText("The provider has not signed you in: access_denied.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await page.waitForURL("**/sign-in");
    expect(await page.evaluate(() => document.cookie)).toBe("");
  });

  test("the account's owner connects the provider, signs in with it, and disconnects it", async () => {
    const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [401] });
    await page.goto("/settings/security");
    await button(page, "Connect Example ID…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill("wrong");
    await button(page, "Continue").click();
    await dialog.getByText("The current password is wrong.").waitFor();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, "Continue").click();
    await signInAs(page, "ada");
    await page.waitForURL("**/settings/security");
    await page.getByText(provider.issuer).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    const other = await fixture.anonymous({ reducedMotion: true });
    await other.page.goto("/sign-in");
    await providerLink(other.page).click();
    await signInAs(other.page, "ada");
    await other.page.waitForURL("**/files");
    expect(await whoIs(other.page)).toBe(EMAIL);

    await page.getByRole("button", { name: "Disconnect ada" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await button(page, "Connect Example ID…").waitFor();
  });
});

test("with oauth2-mock-server, and without passwords", async () => {
  const port = await freePort();
  const provider = await startMockServer();
  const fixture = await createBrowserFixture({
    ...environmentOf(port, provider),
    PASSWORD_SIGN_IN: "false",
  });
  try {
    const { page, consoleErrors } = await fixture.anonymous({ reducedMotion: true });
    await page.goto("/sign-in");
    await providerLink(page).waitFor();
    expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
    expect(await page.getByText("Forgot your password?").count()).toBe(0);
    await providerLink(page).click();
    await page.waitForURL("**/files");
    expect(await whoIs(page)).toBe("mona@example.org");

    await page.goto("/settings/security");
    await page.getByText("You sign in without one.").waitFor();
    expect(await page.getByLabel("Current password").count()).toBe(0);
    expect(await page.getByText("Two-step sign-in", { exact: true }).count()).toBe(0);
    await page.goto("/settings/account");
    await page.getByText("You sign in without a password.").waitFor();
    expect(await page.getByLabel("Email address").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  } finally {
    await fixture.discard();
    await provider.stop();
  }
});
