import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { choose, openMenu } from "./steps.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  await fixture.seed.holdall.settings.change({ keepVersions: true });
});
afterEach(closeVisits);

const editor = (page: Page, name: string) => page.getByRole("dialog", { name: `Edit ${name}` });
const area = (page: Page, name: string) => page.getByRole("textbox", { name: `Text of ${name}` });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function edit(key: string, content: string | Uint8Array<ArrayBuffer>, width = 1280) {
  const at = key.lastIndexOf("/");
  const [folder, name] = [key.slice(0, at), key.slice(at + 1)];
  await fixture.seed.holdall.files.put(key, new Blob([content]));
  const { page, consoleErrors } = await fixture.signedIn({
    reducedMotion: true,
    width,
    height: 800,
    expectedStatuses: [404, 412],
  });
  await page.goto(`/files/${folder}`);
  await openMenu(name)(page);
  await choose("Edit")(page);
  await editor(page, name).waitFor();
  return { page, consoleErrors };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const bytesOf = async (id: string) =>
  (await fixture.seed.holdall.files.download(id)).response.arrayBuffer();

const stored = async (key: string) => {
  const { files } = fixture.seed.holdall;
  const { id } = await files.getByKey(key);
  return { id, text: await decoder.decode(await bytesOf(id)) };
};

test("a text keeps the type that it was stored with", async () => {
  const { files } = fixture.seed.holdall;
  await files.put("edit/README", new Blob(["one"], { type: "text/plain" }));
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/edit");
  await openMenu("README")(page);
  await choose("Edit")(page);
  await area(page, "README").fill("two");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved.").first().waitFor();
  expect(await files.getByKey("edit/README")).toMatchObject({ mimeType: "text/plain", size: 3 });
});

test("saves a text, keeps the version before, the byte order mark and the line ends", async () => {
  const key = "edit/notes.txt";
  const { page, consoleErrors } = await edit(key, "\uFEFFone\r\n  two\r\nthree");
  await area(page, "notes.txt").waitFor();
  expect(await area(page, "notes.txt").inputValue()).toBe("one\n  two\nthree");
  expect(await button(page, "Save").isDisabled()).toBe(true);
  await area(page, "notes.txt").evaluate((field) => {
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(9, 9);
  });
  await page.keyboard.press("Enter");
  await page.keyboard.type("new");
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Control+s");
  await page.getByText("Saved. The text before is kept as a version.").first().waitFor();
  const { id, text } = await stored(key);
  // The new line is indented like the one above.
  expect(text).toBe("\uFEFFone\r\n  two\r\n  new\r\nthree");
  const { versions } = await fixture.seed.holdall.files.versions(id);
  expect(versions).toHaveLength(1);
  await button(page, "Close the editor").click();
  await editor(page, "notes.txt").waitFor({ state: "detached" });
  expect(consoleErrors).toEqual([]);
});

test("a conflict shows both texts, and saves over the other one only when told to", async () => {
  const key = "edit/shared.md";
  const { page } = await edit(key, "# Title\n\nfirst\n");
  await area(page, "shared.md").fill("# Title\n\nmine\n");
  await page.getByRole("article").getByText("mine").waitFor();
  await fixture.seed.holdall.files.put(key, "# Title\n\ntheirs\n");
  await button(page, "Save").click();
  await page.getByText("They differ in line 3 of yours and line 3 of the stored one.").waitFor();
  expect(await page.getByRole("textbox", { name: "Stored text" }).inputValue()).toContain("theirs");
  expect(await area(page, "shared.md").inputValue()).toContain("mine");
  expect((await stored(key)).text).toContain("theirs");
  expect(await axeViolations(page)).toEqual([]);
  await button(page, "Save mine over it").click();
  await page
    .getByText(/^Saved\./)
    .first()
    .waitFor();
  expect((await stored(key)).text).toContain("mine");
  expect(await page.getByRole("textbox", { name: "Stored text" }).count()).toBe(0);

  await area(page, "shared.md").fill("again mine");
  await fixture.seed.holdall.files.put(key, "again theirs");
  await button(page, "Save").click();
  await button(page, "Discard mine, edit the stored one").click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "again theirs");
});

test("a file that was renamed meanwhile is not a conflict of texts", async () => {
  const key = "edit/former.txt";
  const { page } = await edit(key, "before");
  await area(page, "former.txt").fill("mine");
  const { files } = fixture.seed.holdall;
  // The page does not follow changes any more, as after a lost connection.
  await page.route("**/api/changes*", (route) => route.abort());
  await files.rename((await files.getByKey(key)).id, "latter.txt");
  await page.keyboard.press("Control+s");
  await page.getByText(/deleted, moved or renamed meanwhile/).waitFor();
  expect(await button(page, "Save mine over it").count()).toBe(0);
  expect((await stored("edit/latter.txt")).text).toBe("before");
});

test("what is not saved is not lost: by Close, by Back, nor by a deletion", async () => {
  const key = "edit/kept.txt";
  const { page } = await edit(key, "before");
  await area(page, "kept.txt").fill("unsaved");
  await page.keyboard.press("Escape");
  await button(page, "Cancel").click();
  expect(await area(page, "kept.txt").inputValue()).toBe("unsaved");
  await page.evaluate(() => history.pushState(null, "", "/files"));
  await editor(page, "kept.txt").waitFor({ state: "detached" });
  await page.goBack();
  await openMenu("kept.txt")(page);
  await choose("Edit")(page);
  expect(await area(page, "kept.txt").inputValue()).toBe("unsaved");
  await fixture.seed.holdall.files.delete([{ key }]);
  await button(page, "Save").click();
  await page.getByText(/was deleted, moved or renamed meanwhile/).waitFor();
  expect(await area(page, "kept.txt").inputValue()).toBe("unsaved");
  await button(page, "Close the editor").click();
  await button(page, "Discard").click();
  await editor(page, "kept.txt").waitFor({ state: "detached" });
});

test("JSON is checked while one types", async () => {
  const { page } = await edit("edit/config.json", '{\n  "a": 1\n}');
  await page.getByText("Valid JSON").waitFor();
  await area(page, "config.json").fill('{\n  "a": \n}');
  await page.getByText(/^Line 3, column 1: /).waitFor();
  await button(page, "Save anyway").waitFor();
  await button(page, "Go to it").click();
  expect(await axeViolations(page)).toEqual([]);
});

test("other encodings are read-only, and a large text says so with a way to download", async () => {
  const latin = new Uint8Array([0x63, 0x72, 0xe8, 0x6d, 0x65]);
  const { page } = await edit("edit/latin.txt", latin);
  await page.getByText(/This text is not UTF-8/).waitFor();
  expect(await area(page, "latin.txt").inputValue()).toBe("crème");
  expect(await area(page, "latin.txt").getAttribute("readonly")).not.toBeNull();
  expect(await button(page, "Save").count()).toBe(0);
  await button(page, "Close the editor").click();

  const { page: other } = await edit("edit/large.txt", "x".repeat(1_000_001));
  const saved = other.waitForEvent("download");
  await button(other, "Download").last().click();
  expect((await saved).suggestedFilename()).toBe("large.txt");
});

test("on a phone, Markdown is written or previewed", async () => {
  const { page } = await edit("edit/phone.md", "# Hello", 390);
  await area(page, "phone.md").fill("# Bye");
  await page.getByRole("radio", { name: "Preview" }).check();
  await page.getByRole("article").getByText("Bye").waitFor();
  expect(await axeViolations(page)).toEqual([]);
});
