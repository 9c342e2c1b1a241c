import { afterEach, expect, test } from "bun:test";
import { closeVisits } from "./browser.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);

test("? lists the keyboard shortcuts, except while typing; the account menu does too", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("keyhelp/a.txt");
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/keyhelp");
  await row(page, "a.txt").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const list = dialog.getByRole("region", { name: "In the list" });
  await list.getByText("Rename").waitFor();
  expect(await list.getByText("F2", { exact: true }).count()).toBe(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("grid").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Preview of a.txt" }).waitFor();
  await page.keyboard.press("?");
  await dialog.getByRole("region", { name: "In the preview" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.keyboard.press("/");
  await page.keyboard.type("a?");
  expect(await page.getByRole("searchbox").inputValue()).toBe("a?");
  expect(await dialog.count()).toBe(0);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await dialog.waitFor();
  expect(consoleErrors).toEqual([]);
});

test("a key that is held down refreshes once", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("keyheld/a.txt");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/keyheld");
  await row(page, "a.txt").waitFor();
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    // The first key loads the operations' script.
    if (pathname.startsWith("/api/")) asked.push(pathname);
  });
  await page.getByRole("grid").focus();
  /** The requests that this many key events lead to, until all have been answered. */
  const requestsOf = async (events: number): Promise<string[]> => {
    asked.length = 0;
    const answered = page.waitForResponse((response) => response.url().includes("/api/folders?"));
    // The second and later ones are repeats.
    for (let at = 0; at < events; at += 1) await page.keyboard.down("r");
    await page.keyboard.up("r");
    await answered;
    await page.waitForLoadState("networkidle");
    return asked.toSorted();
  };
  const once = await requestsOf(1);
  expect(once.length).toBeGreaterThan(0);
  expect(await requestsOf(8)).toEqual(once);
});
