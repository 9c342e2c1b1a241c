import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { chooseForSelection } from "./steps.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

async function show(folder: string): Promise<Page> {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto(`/files/${folder}`);
  await page.getByRole("grid").waitFor();
  return page;
}

const inHeader = (page: Page, word: string) =>
  page.getByRole("button", { name: `New files: ${word}` });

test("lists and previews say public and private in words", async () => {
  await fixture.seed.file("words/open.txt");
  await fixture.seed.file("words/closed.txt", "x", "private");
  const page = await show("words");
  await row(page, "open.txt").getByText("Public").waitFor();
  await row(page, "closed.txt").getByText("Private").waitFor();
  await inHeader(page, "Public").waitFor();
  await row(page, "closed.txt").dblclick();
  await page.getByRole("dialog").getByText("Private", { exact: true }).waitFor();
});

test("a folder is made private from now on, together with its files, in one request", async () => {
  await fixture.seed.file("safe/papers/a.txt");
  await fixture.seed.file("safe/papers/deep/b.txt");
  await fixture.seed.file("safe/papers/c.txt", "x", "private");
  const page = await show("safe");
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") changes.push(request.postData() ?? "");
  });
  await row(page, "papers").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Visibility…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 public, 1 private, including subfolders.").waitFor();
  await dialog.getByText("Same as parent folder (public)").waitFor();
  expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await dialog.getByRole("radio", { name: /^Private/ }).check();
  const keep = dialog.getByRole("radio", { name: "Keep them as they are" });
  expect(await keep.isChecked()).toBe(true);
  await dialog.getByRole("radio", { name: "Make all public: 1 private file changes" }).check();
  expect(await keep.isChecked()).toBe(false);
  await dialog.getByRole("radio", { name: "Make all private: 2 public files change" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row(page, "papers").getByText("Private").waitFor();
  expect(changes).toHaveLength(1);
  const { holdall } = fixture.seed;
  expect((await holdall.files.getByKey("safe/papers/deep/b.txt")).visibility).toBe("private");
  const added = await holdall.files.upload(new Blob(["x"]), { name: "n", folder: "safe/papers" });
  expect(added.visibility).toBe("private");

  await row(page, "papers").getByRole("link").click();
  await inHeader(page, "Private").click();
  await dialog.getByText("0 public, 4 private, including subfolders.").waitFor();
  await dialog.getByRole("radio", { name: /^Same as parent folder/ }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await inHeader(page, "Public").waitFor();
  await row(page, "a.txt").getByText("Private").waitFor();
});

test("says what a mixed selection is before it changes", async () => {
  await fixture.seed.file("mixed/a.txt");
  await fixture.seed.file("mixed/in/b.txt", "x", "private");
  await fixture.seed.file("mixed/in/c.txt");
  const page = await show("mixed");
  await row(page, "a.txt").getByRole("checkbox").check();
  await row(page, "in").getByRole("checkbox").check();
  await chooseForSelection("Visibility…")(page);
  await page.getByRole("dialog").getByText("Now: 2 public, 1 private.").waitFor();
});

test("copies a link to a private file that works without an account, and says until when", async () => {
  await fixture.seed.file("handed/secret.txt", "for you", "private");
  const page = await show("handed");
  await row(page, "secret.txt").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Copy link", exact: true }).click();
  await page
    .getByText(/Anyone with it can open it until .*\d{4}/)
    .first()
    .waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(await (await fetch(`${copied}?download=1`)).text()).toBe("for you");
});

test("details of a private file offer a link that works, and say what the plain URL needs", async () => {
  await fixture.seed.file("plain/secret.bin", "for you", "private");
  await fixture.seed.file("plain/open.bin", "for all");
  const page = await show("plain");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const panel = page.getByRole("complementary", { name: "Details" });
  const preview = page.getByRole("dialog", { name: "Preview of secret.bin" });
  await row(page, "secret.bin").click();
  await page.keyboard.press("i");
  for (const place of [panel, preview]) {
    if (place === preview) await row(page, "secret.bin").dblclick();
    await place.getByText("This URL needs a key, because the file is private.").first().waitFor();
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await place.getByRole("button", { name: "Copy link", exact: true }).first().click();
    await eventually("a link was copied", async () => (await copied()) !== "");
    expect(await (await fetch(`${await copied()}?download=1`)).text()).toBe("for you");
  }
  await page.keyboard.press("Escape");

  await row(page, "open.bin").click();
  await panel.getByRole("button", { name: "Copy URL", exact: true }).click();
  await panel.getByRole("button", { name: "URL copied" }).waitFor();
  expect(await (await fetch(await copied())).text()).toBe("for all");
});
