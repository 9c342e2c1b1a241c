import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { barriers } from "./axe.ts";
import { type Bed, EMAIL, makeBed, PASSWORD } from "./bed.ts";
import { endVisits } from "./browser.ts";

afterEach(endVisits);
/* A server that is not set up yet; the tests follow each other in its life. */
let bed: Bed;
beforeAll(async () => {
  bed = await makeBed({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
});
afterAll(() => bed.discard());

describe("setting up", () => {
  test("goes from the printed link to the files", async () => {
    const link = /http:\/\/\S+\/setup#\S+/.exec(bed.server.output())?.[0] ?? "";
    const { page, complaints } = await bed.stranger({ still: true, expected: [401] });
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Not set up yet" }).waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.goto(`${bed.server.url}/setup#wrong`);
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "This setup link does not work" }).waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.goto(link);
    await page.getByLabel("Email address").fill("grace");
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter an email address").waitFor();
    await page.getByText("Use 8 characters or more.").waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("No files yet").waitFor();
    expect(page.url()).toEndWith("/files");

    const { page: late } = await bed.stranger({ expected: [401] });
    await late.goto(link);
    await late.getByRole("heading", { name: "The account exists already" }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("signing in", () => {
  test("leads from any page over the sign-in page back to it", async () => {
    await bed.seed.file("reports/a.txt");
    const { page, complaints } = await bed.stranger({ expected: [401] });
    await page.goto("/files/reports?sort=size&dir=desc&view=list");
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "a.txt" }).waitFor();
    expect(page.url()).toEndWith("/files/reports?sort=size&dir=desc&view=list");
    expect(complaints).toEqual([]);
  });

  test("ends with signing out, everywhere", async () => {
    const { page, complaints } = await bed.signedIn({ expected: [401] });
    await page.goto("/keys");
    await page.getByRole("button", { name: `Account ${EMAIL}` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    await page.goto("/files");
    await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("says that the password is wrong, and how long to wait after too many tries", async () => {
    const { page } = await bed.stranger({ expected: [401, 429] });
    await page.goto("/sign-in");
    await page.getByLabel("Email address").fill("stranger@example.com");
    for (let tries = 0; tries < 6; tries += 1) {
      await page.getByLabel("Password").fill(`wrong ${tries}`);
      const answer = page.waitForResponse("**/auth/sign-in");
      await page.keyboard.press("Enter");
      await answer;
      const expected =
        tries < 5 ? "The email address or the password is wrong." : /Try again in \d+ second/;
      await page.getByRole("alert").filter({ hasText: expected }).waitFor();
    }
  });
});
