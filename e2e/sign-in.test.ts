import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";

afterEach(closeVisits);
/* A server without an account; the tests build on each other. */
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
});
afterAll(() => fixture.discard());

describe("setup", () => {
  test("leads from the printed link to the files page", async () => {
    const link = /http:\/\/\S+\/setup#\S+/.exec(fixture.server.output())?.[0] ?? "";
    const { page, consoleErrors } = await fixture.anonymous({
      reducedMotion: true,
      expectedStatuses: [400, 401],
    });
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Not set up yet" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.goto(`${fixture.server.url}/setup#wrong`);
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByRole("radio", { name: /^Private/ }).check();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "This setup link doesn't work" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.goto(link);
    await page.getByLabel("Email address").fill("grace");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter an email address").waitFor();
    await page.getByText("Use at least 8 characters.").waitFor();
    await page.getByText("Choose one. You can change it later.").waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole("radio", { name: /^Private/ }).check();
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill("Password123");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("one of the first that attackers try").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("No files yet").waitFor();
    await page.waitForURL(/\/files$/);
    await page.getByRole("button", { name: "New files: Private" }).waitFor();

    const { page: late } = await fixture.anonymous({ expectedStatuses: [401] });
    await late.goto(link);
    await late.getByRole("heading", { name: "Account already exists" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });
});

describe("signing in", () => {
  test("returns to the page that required it", async () => {
    await fixture.seed.file("reports/a.txt");
    const { page, consoleErrors } = await fixture.anonymous();
    const statuses: number[] = [];
    page.on("response", (response) => statuses.push(response.status()));
    await page.goto("/files/reports?sort=size&dir=desc&view=list");
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "a.txt" }).waitFor();
    expect(page.url()).toEndWith("/files/reports?sort=size&dir=desc&view=list");
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("is required again after signing out", async () => {
    const { page, consoleErrors } = await fixture.signedIn();
    const heading = page.getByRole("heading", { name: "Sign in to Holdall" });
    await page.goto("/keys");
    await page.getByRole("button", { name: `Account ${EMAIL}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await heading.waitFor();
    await page.goto("/files");
    await heading.waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("is asked for on every page without a failed request, also on one left before", async () => {
    const { page, consoleErrors } = await fixture.anonymous({ reducedMotion: true });
    const heading = page.getByRole("heading", { name: "Sign in to Holdall" });
    const paths = ["/", "/files", "/overview", "/links", "/trash", "/keys", "/activity"];
    for (const path of [...paths, "/health", "/settings/security", "/no/such/page"]) {
      await page.goto(path);
      await heading.waitFor();
      const to = path === "/" ? "/files" : path;
      expect(page.url()).toEndWith(`/sign-in?to=${encodeURIComponent(to)}`);
    }
    // Only the page itself is missing.
    expect(consoleErrors.filter((text) => !text.includes("404"))).toEqual([]);
    expect(consoleErrors.length).toBe(1);

    const { page: own, consoleErrors: ownErrors } = await fixture.anonymous();
    await own.goto("/links");
    await own.getByLabel("Email address").fill(EMAIL);
    await own.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await own.keyboard.press("Enter");
    await own.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await own.getByRole("button", { name: `Account ${EMAIL}` }).click();
    await own.getByRole("menuitem", { name: "Sign out" }).click();
    await own.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    await own.goBack();
    await own.waitForURL(/\/sign-in\?to=/);
    await own.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    expect(ownErrors).toEqual([]);
  });

  test("says that the session has ended, unless there was none", async () => {
    await fixture.seed.file("reports/b.txt");
    const { page, context } = await fixture.anonymous({ expectedStatuses: [401] });
    const notice = page.getByText("Your session has ended.");
    const signIn = async () => {
      await page.getByLabel("Email address").fill(EMAIL);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("row", { name: "b.txt" }).waitFor();
    };
    await page.goto("/files/reports");
    await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    expect(await notice.count()).toBe(0);
    await signIn();
    await page.getByRole("button", { name: `Account ${EMAIL}` }).waitFor();

    await context.clearCookies();
    await page.getByRole("link", { name: "Overview" }).click();
    await notice.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goBack();
    await notice.waitFor();
    await signIn();

    // A page that was requested without the cookie, because another tab was signing in.
    const cookies = await context.cookies();
    await page.goto("about:blank");
    await context.clearCookies();
    await page.goto("/files/reports");
    await notice.waitFor();
    await context.addCookies(cookies);
    await page.reload();
    await page.getByRole("row", { name: "b.txt" }).waitFor();
    expect(page.url()).toEndWith("/files/reports");
  });

  test("is not required in other tabs that the server accepts when it has refused one", async () => {
    await fixture.seed.file("reports/e.txt");
    const { page, context } = await fixture.anonymous({ expectedStatuses: [401] });
    await page.goto("/files/reports");
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "e.txt" }).waitFor();
    const other = await context.newPage();
    await other.goto("/files/reports");
    await other.getByRole("row", { name: "e.txt" }).waitFor();
    for (const tab of [page, other])
      await tab.getByRole("button", { name: `Account ${EMAIL}` }).waitFor();
    await page.route("**/api/overview*", (route) =>
      route.fulfill({ status: 401, json: { message: "Sign in." } }),
    );
    const asked = other.waitForResponse("**/auth/session");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Your session has ended.").waitFor();
    expect((await asked).status()).toBe(200);
    await other.getByRole("link", { name: "Links" }).click();
    await other.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  });

  test("and signing out take effect in other tabs", async () => {
    await fixture.seed.file("reports/d.txt");
    const { page, context, consoleErrors } = await fixture.anonymous();
    const other = await context.newPage();
    const refused: string[] = [];
    other.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
    const headings = [page, other].map((each) =>
      each.getByRole("heading", { name: "Sign in to Holdall" }),
    );
    await page.goto("/keys");
    await other.goto("/files/reports");
    for (const heading of headings) await heading.waitFor();
    for (let time = 1; time <= 2; time += 1) {
      await page.getByLabel("Email address").fill(EMAIL);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.keyboard.press("Enter");
      await other.getByRole("row", { name: "d.txt" }).waitFor();
      expect(other.url()).toEndWith("/files/reports");

      await page.getByRole("button", { name: `Account ${EMAIL}` }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      for (const heading of headings) await heading.waitFor();
      expect(other.url()).toEndWith(`/sign-in?to=${encodeURIComponent("/files/reports")}`);
      expect(await other.getByRole("row", { name: "d.txt" }).count()).toBe(0);
    }
    expect(refused).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("is not asked for again on going back to the page that required it", async () => {
    await fixture.seed.file("reports/c.txt");
    const { page, consoleErrors } = await fixture.anonymous();
    await page.goto("/files/reports");
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: "c.txt" });
    await row.waitFor();
    await page.goto("/keys");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await page.goBack();
    await row.waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("names missing fields in its own words, and logs nothing to the console", async () => {
    const { page, consoleErrors } = await fixture.anonymous();
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter an email address, such as you@example.com.").waitFor();
    await page.getByText("Enter your password.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("reports a wrong password, and the wait after too many attempts", async () => {
    const { page } = await fixture.anonymous({ expectedStatuses: [401, 429] });
    await page.goto("/sign-in");
    await page.getByLabel("Email address").fill("stranger@example.com");
    const attempt = async (password: string): Promise<number> => {
      await page.getByLabel("Password", { exact: true }).fill(password);
      const response = page.waitForResponse("**/auth/sign-in");
      await page.keyboard.press("Enter");
      const status = (await response).status();
      const expected =
        status === 429 ? /Try again in \d+ second/ : "The email address or the password is wrong.";
      await page.getByRole("alert").filter({ hasText: expected }).waitFor();
      return status;
    };
    for (let at = 0; at < 5; at += 1) expect(await attempt(`wrong ${at}`)).toBe(401);
    // The first wait is a second: on a busy machine it may be over before the next attempt.
    await eventually("attempts are refused", async () => (await attempt("once more")) === 429);
  });
});
