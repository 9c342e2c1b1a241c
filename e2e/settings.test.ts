import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture, EMAIL, PASSWORD } from "./browser-fixture.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ MAX_DELETE_BATCH: "7" });
});
afterAll(() => fixture.discard());

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name });
const read = () => fixture.seed.holdall.settings.read();

/** Shows a tab of the settings of the instance. */
async function show(name = "uploads") {
  const visit = await fixture.signedIn({
    reducedMotion: true,
    expectedStatuses: [400, 401, 429, 500],
  });
  await visit.page.goto(`/settings/${name}`);
  await visit.page.locator("main h2").first().waitFor();
  return visit;
}

describe("the settings of the instance", () => {
  test("say what all files are, and give them the default visibility after a confirmation", async () => {
    const { files, settings } = fixture.seed.holdall;
    const [open, closed] = await Promise.all(
      (["public", "private"] as const).map((visibility) =>
        files.upload(new Blob(["x"]), { name: visibility, folder: "existing", visibility }),
      ),
    );
    await settings.change({ defaultVisibility: "private" });
    try {
      const { page } = await show();
      const uploads = section(page, "Limits and defaults");
      await uploads.getByText(/^All files now: \d+ public, \d+ private\.$/).waitFor();
      await uploads.getByRole("button", { name: /^Make \d+ public files? private…$/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Make private" }).click();
      await uploads.getByText(/^All files now: 0 public, \d+ private\.$/).waitFor();
      for (const file of [open, closed]) {
        expect((await files.get(file?.id ?? "")).visibility).toBe("private");
      }
    } finally {
      await settings.change({ defaultVisibility: null });
    }
  });

  test("are saved by section, take effect at once, and can be reset", async () => {
    const { page, consoleErrors } = await show();
    const uploads = section(page, "Limits and defaults");
    const save = uploads.getByRole("button", { name: "Save" });
    expect(await save.isDisabled()).toBe(true);
    await uploads.getByLabel("Default visibility", { exact: true }).selectOption("private");
    await uploads.getByLabel("Maximum file size", { exact: true }).fill("1.5");
    await uploads.getByLabel("Unit for Maximum file size").selectOption("KiB");
    await save.click();
    await page.getByText("Saved.").first().waitFor();
    expect(await read()).toMatchObject({
      defaultVisibility: { value: "private" },
      maxUploadSize: { value: 1536 },
    });
    const { files } = fixture.seed.holdall;
    const large = files.upload(new Blob(["x".repeat(1537)]), { name: "large.txt" });
    expect(await large.catch((error: Error) => error.message)).toContain("1536");
    expect(await files.upload(new Blob(["x"]), { name: "small.txt" })).toMatchObject({
      visibility: "private",
    });
    expect(await save.isDisabled()).toBe(true);

    await page.reload();
    expect(await uploads.getByLabel("Maximum file size", { exact: true }).inputValue()).toBe(
      "1536",
    );
    await uploads.getByRole("button", { name: "Reset to default: Maximum file size" }).click();
    await uploads
      .getByRole("button", { name: "Reset to default: Maximum file size" })
      .waitFor({ state: "detached" });
    const size = uploads.getByLabel("Maximum file size", { exact: true });
    await eventually("the default is shown", async () => (await size.inputValue()) === "5");
    await uploads.getByRole("button", { name: /default: Default visibility/ }).click();
    await uploads
      .getByRole("button", { name: /default: Default visibility/ })
      .waitFor({ state: "detached" });
    expect((await read()).defaultVisibility.value).toBe("public");
    expect(consoleErrors).toEqual([]);
  });

  test("show the environment variable that pins them", async () => {
    const { page } = await show();
    const uploads = section(page, "Limits and defaults");
    expect(await uploads.getByLabel("Files per deletion", { exact: true }).isDisabled()).toBe(true);
    await uploads.getByText("Pinned by MAX_DELETE_BATCH").waitFor();
  });

  test("show validation errors at their fields, and can be discarded", async () => {
    const { page } = await show("links");
    const links = section(page, "Signed URLs");
    const lifetime = links.getByLabel("Default signed URL lifetime", { exact: true });
    await lifetime.fill("soon");
    await links.getByRole("button", { name: "Save" }).click();
    await links.getByRole("alert").filter({ hasText: "Enter a number" }).waitFor();
    await lifetime.fill("400");
    await links.getByLabel("Unit for Default signed URL lifetime").selectOption("days");
    await links.getByRole("button", { name: "Save" }).click();
    await links
      .getByRole("alert")
      .filter({ hasText: "Must be at most “Maximum signed URL lifetime”, which is 7 days." })
      .waitFor();
    expect(await lifetime.getAttribute("aria-invalid")).toBe("true");
    await links.getByRole("button", { name: "Discard" }).click();
    expect(await lifetime.inputValue()).toBe("1");
    expect((await read()).defaultPresignSeconds.value).toBe(3600);

    await links.getByLabel("Maximum signed URL lifetime", { exact: true }).fill("500");
    await lifetime.fill("400");
    await links.getByLabel("Unit for Default signed URL lifetime").selectOption("days");
    await page.keyboard.press("Tab");
    await lifetime.press("Enter");
    await page.getByText("Saved.").first().waitFor();
    expect((await read()).defaultPresignSeconds.value).toBe(400 * 86_400);
  });

  test("keep unsaved input on other pages, and the browser asks before it is lost", async () => {
    const { page } = await show("activity");
    const activity = section(page, "Activity");
    await activity.getByLabel("Keep activity for", { exact: true }).fill("77");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    const asked = page.waitForEvent("dialog");
    const leaving = page.evaluate(() => location.reload());
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await leaving.catch(() => undefined);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await tab(page, "Activity").click();
    const field = activity.getByLabel("Keep activity for", { exact: true });
    await field.waitFor();
    expect(await field.inputValue()).toBe("77");
    await activity.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    await activity.getByRole("button", { name: "Save" }).waitFor();
    expect(await field.inputValue()).not.toBe("77");
  });

  test("are in tabs with addresses of their own, which keep what was typed", async () => {
    const { page, consoleErrors } = await show("uploads");
    await page.getByLabel("Maximum file size", { exact: true }).fill("12");
    await tab(page, "Security").click();
    await page.waitForURL("**/settings/security");
    await page.getByLabel("New password").fill("a new one");
    await tab(page, "Account").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/account");
    await page.getByLabel("Email address").fill("other@example.com");
    expect(await tab(page, "Account").getAttribute("aria-current")).toBe("page");
    for (const name of ["Account", "Security", "Uploads"]) {
      await tab(page, `${name} (unsaved changes)`).waitFor();
    }
    await tab(page, "Security").click();
    expect(await page.getByLabel("New password").inputValue()).toBe("a new one");

    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.goBack();
    await page.waitForURL("**/settings/security");
    // Passwords are not kept once the settings are left.
    expect(await page.getByLabel("New password").inputValue()).toBe("");
    await tab(page, "Account").click();
    expect(await page.getByLabel("Email address").inputValue()).toBe("other@example.com");
    await section(page, "Profile").getByRole("button", { name: "Discard" }).click();
    await tab(page, "Uploads").click();
    expect(await page.getByLabel("Maximum file size", { exact: true }).inputValue()).toBe("12");
    await section(page, "Limits and defaults").getByRole("button", { name: "Discard" }).click();
    await page.goto("/settings/nothing");
    await page.waitForURL("**/settings");
    await section(page, "Profile").waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("show a dialog of another tab until it is closed, and work then", async () => {
    const { page, consoleErrors } = await show("account");
    await tab(page, "Security").click();
    await section(page, "Two-step sign-in").getByRole("button", { name: "Set up…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.goBack();
    await page.waitForURL("**/settings/account");
    await section(page, "Profile").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await tab(page, "Links").click();
    await page.waitForURL("**/settings/links");
    expect(consoleErrors).toEqual([]);
  });

  test("show all tabs on a phone", async () => {
    const { page } = await show("images");
    await page.setViewportSize({ width: 390, height: 800 });
    const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    for (const link of await links.all()) {
      const box = await link.boundingBox();
      if (box === null) throw new Error("A tab is not shown.");
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
  });

  test("show whole choices on a tablet", async () => {
    const { page } = await show();
    await page.setViewportSize({ width: 768, height: 900 });
    const select = section(page, "Limits and defaults").getByLabel("Default visibility");
    await select.selectOption("private");
    const text = await select.evaluate((element) => {
      const measure = document.createElement("span");
      measure.textContent = "Private – needs a key or a signed link";
      measure.style.font = getComputedStyle(element).font;
      document.body.append(measure);
      const { width } = measure.getBoundingClientRect();
      measure.remove();
      return { width, room: element.clientWidth - 44 };
    });
    expect(text.room).toBeGreaterThanOrEqual(Math.floor(text.width));
    await section(page, "Limits and defaults").getByRole("button", { name: "Discard" }).click();
  });

  test("warn before a change deletes data", async () => {
    const { page } = await show("activity");
    const activity = section(page, "Activity");
    const days = activity.getByLabel("Keep activity for", { exact: true });
    await days.waitFor();
    await days.fill("7");
    await activity.getByText("Activity older than 7 days will be deleted permanently.").waitFor();
    await activity.getByRole("button", { name: "Discard" }).click();
  });

  test("keep the input if saving fails", async () => {
    const { page } = await show("links");
    const caching = section(page, "Caching");
    await failWith500("**/api/settings")(page);
    await caching.getByLabel("Cache duration", { exact: true }).fill("9");
    await caching.getByRole("button", { name: "Save" }).click();
    await caching.getByRole("alert").filter({ hasText: "Unexpected server error" }).waitFor();
    await page.unroute("**/api/settings");
    await caching.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    expect((await read()).hostingCacheSeconds.value).toBe(9);
  });
});

describe("the account", () => {
  const NEW = "another long password";

  async function signInAgain(email: string, password: string) {
    const visit = await fixture.anonymous({ reducedMotion: true, expectedStatuses: [401] });
    await visit.page.goto("/sign-in?to=/settings/security");
    await visit.page.getByLabel("Email address").fill(email);
    await visit.page.getByLabel("Password", { exact: true }).fill(password);
    await visit.page.keyboard.press("Enter");
    await section(visit.page, "Sessions").getByText("This device").waitFor();
    return visit;
  }

  test("lists its sessions, and signs out one or all others after confirmation", async () => {
    const { page, consoleErrors } = await signInAgain(EMAIL, PASSWORD);
    const { page: second } = await signInAgain(EMAIL, PASSWORD);
    await signInAgain(EMAIL, PASSWORD);
    await page.reload();
    const sessions = section(page, "Sessions").getByRole("listitem");
    await sessions.nth(2).waitFor();
    expect(await sessions.first().textContent()).toMatch(
      /Chrome on Linux.*This device.*127\.0\.0\.1/,
    );
    const before = await sessions.count();

    await sessions
      .nth(1)
      .getByRole("button", { name: /^Sign out Chrome/ })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await sessions.count()).toBe(before);
    await sessions
      .nth(1)
      .getByRole("button", { name: /^Sign out Chrome/ })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("Signed out 1 session.").first().waitFor();
    await sessions.nth(before - 1).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Sign out all other sessions…" }).click();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await page
      .getByText(/^Signed out \d+ other sessions?\.$/)
      .first()
      .waitFor();
    await sessions.nth(1).waitFor({ state: "detached" });
    await second.reload();
    await second.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("changes its email address, and its password, which signs out other sessions", async () => {
    const { page } = await signInAgain(EMAIL, PASSWORD);
    await tab(page, "Account").click();
    const profile = section(page, "Profile");
    await profile.getByText(/^Account created (?:today at|on) /).waitFor();
    await profile.getByLabel("Email address").fill("ada");
    await profile.getByRole("button", { name: "Change email address" }).click();
    await profile.getByText("Enter an email address, such as you@example.com.").waitFor();
    await profile.getByText("Enter your password.").waitFor();
    await profile.getByLabel("Email address").fill("ada@new.example");
    await profile.getByLabel("Your password").fill("wrong");
    await profile.getByRole("button", { name: "Change email address" }).click();
    await profile.getByRole("alert").filter({ hasText: "password is wrong" }).waitFor();
    await profile.getByLabel("Your password").fill(PASSWORD);
    await profile.getByRole("button", { name: "Change email address" }).click();
    await page.getByText("You now sign in as ada@new.example.").first().waitFor();
    await page.getByRole("button", { name: "Account ada@new.example" }).waitFor();

    const { page: other } = await signInAgain("ada@new.example", PASSWORD);
    await tab(page, "Security").click();
    const password = section(page, "Password");
    await password.getByLabel("New password").fill("short");
    await password.getByRole("button", { name: "Change password" }).click();
    await password.getByText("Use at least 8 characters.").waitFor();
    await password.getByText("Enter your password.").waitFor();
    await password.getByLabel("Current password").fill("wrong");
    await password.getByLabel("New password").fill(NEW);
    await password.getByRole("button", { name: "Change password" }).click();
    await password.getByRole("alert").filter({ hasText: "password is wrong" }).waitFor();
    await password.getByLabel("Current password").fill(PASSWORD);
    await password.getByRole("button", { name: "Show password" }).last().click();
    expect(await password.getByLabel("New password").getAttribute("type")).toBe("text");
    await password.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").first().waitFor();
    await other.reload();
    await other.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
    await page.reload();
    await section(page, "Sessions").getByText("This device").waitFor();
    await signInAgain("ada@new.example", NEW);
  });
});
