import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isLongForm } from "../test/long-forms.fixture.ts";
import { axeViolations } from "./axe-violations.ts";
import { dragFiles, dropFiles } from "./drag-files.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import {
  choose,
  keysIn as listKeys,
  network,
  openFolder as openNewFolder,
  panel,
  press,
  waitForText,
} from "./upload-panel.ts";

const { fixture, local } = await startUploadFixture();

const localFile = local.file;
const sparseFile = local.sparse;
const row = (page: Page, name: string) => page.getByRole("row", { name });
const openFolder = (folder: string, expected: readonly number[] = []) =>
  openNewFolder(fixture, folder, expected);
const keysIn = (folder: string) => listKeys(fixture, folder);

async function textOf(key: string): Promise<string> {
  return (await fetch(fixture.seed.holdall.url(key))).text();
}

test("uploads picked files and a picked folder", async () => {
  const { page, consoleErrors } = await openFolder("chosen");
  const openMenu = async (item: string) => {
    await page.getByRole("button", { name: "Upload" }).first().click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose(page, () => openMenu("Files…"), [
    localFile("pick/one.txt"),
    localFile("pick/two.txt"),
  ]);
  await waitForText(page, "2 uploaded");
  await row(page, "two.txt").waitFor();

  localFile("tree/in/deep.txt");
  localFile("tree/top.txt");
  await choose(page, () => openMenu("Folder…"), local.folder("tree"));
  await waitForText(page, "4 uploaded");
  expect(await keysIn("chosen")).toEqual([
    "chosen/one.txt",
    "chosen/tree/",
    "chosen/tree/in/",
    "chosen/tree/in/deep.txt",
    "chosen/tree/top.txt",
    "chosen/two.txt",
  ]);
  expect(consoleErrors).toEqual([]);
});

test("a dropped tree keeps its structure and empty folders, and the page shows the target", async () => {
  const { page, consoleErrors } = await openFolder("dropped");
  for (let at = 0; at < 130; at += 1) localFile(`site/many/${at}.txt`);
  localFile("site/index.html", "<p>hello");
  localFile('site/a b/ünï "q" 100%.txt');
  local.folder("site/empty/inside");
  const drag = await dragFiles(page, [local.folder("site"), localFile("beside.txt")]);
  await page.getByText("Upload to“dropped”").waitFor();
  await drag.drop();
  await waitForText(page, "133 uploaded");
  expect(await page.locator("[data-drop-overlay]").count()).toBe(0);
  const keys = await keysIn("dropped");
  expect(keys).toContain("dropped/beside.txt");
  expect(keys).toContain("dropped/site/empty/inside/");
  expect(keys).toContain('dropped/site/a b/ünï "q" 100%.txt');
  expect(keys).toContain("dropped/site/many/129.txt");
  expect(keys).toHaveLength(138);
  await row(page, "beside.txt").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("a pasted image gets a timestamped name", async () => {
  const { page } = await openFolder("pasted");
  await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const data = new DataTransfer();
    data.items.add(new File([blob ?? ""], "image.png", { type: "image/png" }));
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await waitForText(page, "1 uploaded");
  const [key = ""] = await keysIn("pasted");
  expect(key).toMatch(/^pasted\/Pasted image \d{4}-\d\d-\d\d at \d\d\.\d\d\.\d\d\.png$/);
});

test("name conflicts: keep both, replace, skip, and one decision for all", async () => {
  const { page, consoleErrors } = await openFolder("taken");
  for (const name of ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]) {
    await fixture.seed.file(`taken/${name}`, "old");
  }
  const paths = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "new.txt"].map((name) =>
    localFile(`again/${name}`, "new"),
  );
  await dropFiles(page, paths);
  await waitForText(page, "“a.txt” already exists in “taken”.");
  await waitForText(page, "Replacing deletes the current content permanently.");
  expect(await axeViolations(page)).toEqual([]);
  expect(await textOf("taken/new.txt")).toBe("new");
  await press(page, "Keep both");
  await waitForText(page, "“b.txt” already exists in “taken”.");
  await press(page, "Replace");
  await waitForText(page, "“c.txt” already exists in “taken”.");
  await press(page, "Skip");
  await waitForText(page, "“d.txt” already exists in “taken”.");
  await panel(page).getByRole("checkbox").check();
  await press(page, "Replace");
  await waitForText(page, "5 uploaded");
  expect(await keysIn("taken")).toEqual([
    "taken/a (2).txt",
    "taken/a.txt",
    "taken/b.txt",
    "taken/c.txt",
    "taken/d.txt",
    "taken/e.txt",
    "taken/new.txt",
  ]);
  const texts = await Promise.all(
    ["a", "b", "c", "d", "e"].map((name) => textOf(`taken/${name}.txt`)),
  );
  expect(texts).toEqual(["old", "new", "old", "new", "new"]);
  expect(consoleErrors).toEqual([]);
});

test("asks about a name conflict before sending a large file", async () => {
  const { page } = await openFolder("large");
  await fixture.seed.file("large/film.mp4", "old");
  await dropFiles(page, [sparseFile("film.mp4", 300_000_000)]);
  await waitForText(page, "“film.mp4” already exists in “large”.");
  await press(page, "Skip");
  expect(await textOf("large/film.mp4")).toBe("old");
});

test("uploads continue on other pages, and can be cancelled and retried", async () => {
  const { page } = await openFolder("cancel", [404]);
  await network(page, { up: 200_000 });
  await dropFiles(page, [sparseFile("slow.bin", 5_000_000), sparseFile("slower.bin", 5_000_000)]);
  await waitForText(page, /Uploading 1 of 2/);
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("heading", { name: "API keys" }).first().waitFor();
  await waitForText(page, /\d+ s left/);
  const warning = page.waitForEvent("dialog");
  const leaving = page.evaluate(() => location.assign("/docs"));
  expect((await warning).type()).toBe("beforeunload");
  await (await warning).dismiss();
  await leaving;
  await press(page, "Cancel slow.bin");
  await waitForText(page, "Cancelled");
  await press(page, "Cancel all");
  await waitForText(page, "Nothing uploaded");
  await network(page, {});
  await press(page, "Upload slow.bin again");
  await waitForText(page, "1 uploaded");
  expect(await keysIn("cancel")).toEqual(["cancel/slow.bin"]);
  await press(page, "Close");
  await panel(page).waitFor({ state: "detached" });
});

test("pauses when the network is lost, says so, and resumes", async () => {
  const { page } = await openFolder("offline", [404]);
  await network(page, { up: 100_000 });
  await dropFiles(page, [sparseFile("kept.bin", 4_000_000), localFile("small.txt")]);
  await waitForText(page, /[1-9][\d.]* [KM]B of 4\.0 MB/);
  await network(page, { offline: true });
  await waitForText(page, /Can't reach the server/);
  expect(await axeViolations(page)).toEqual([]);
  await network(page, {});
  await waitForText(page, "2 uploaded");
  expect(await keysIn("offline")).toEqual(["offline/kept.bin", "offline/small.txt"]);
});

test("resumes the queue after the session ended and the user signed in again", async () => {
  const { page, context } = await openFolder("session", [401, 404]);
  // Only the upload must notice: a list or a size that is read again would lead to the sign-in page at once.
  let isSignedOut = true;
  await page.route(/\/api\/(?:folders|changes)/, (route) =>
    isSignedOut ? undefined : route.continue(),
  );
  await context.clearCookies();
  await dropFiles(page, [localFile("later.txt")]);
  await waitForText(page, "You've been signed out. Sign in to continue uploading.");
  await press(page, "Sign in");
  isSignedOut = false;
  await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.keyboard.press("Enter");
  await waitForText(page, "1 uploaded");
  expect(await keysIn("session")).toEqual(["session/later.txt"]);
});

test("shows the server's reason, and one bad name does not fail the other files", async () => {
  const { page } = await openFolder("refused", [400, 404]);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "good.txt"));
    data.items.add(new File(["x"], "\u0007bell.txt"));
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await waitForText(page, "1 upload failed");
  await waitForText(page, "A name must not contain control characters.");
  expect(await keysIn("refused")).toEqual(["refused/good.txt"]);
});

test("uploads a large file with progress, in constant memory", async () => {
  const [size, shown] = isLongForm ? ([1e9, "1.0 GB"] as const) : ([3e8, "300 MB"] as const);
  const { page, context } = await openFolder("gigabyte", [404]);
  const session = await context.newCDPSession(page);
  const heap = async () => {
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
  const before = await heap();
  // Slow enough to see the progress, and for the part of it that is enough.
  await network(page, { up: 60_000_000 });
  await dropFiles(page, [sparseFile("film.mov", size)]);
  await waitForText(page, new RegExp(`MB of ${shown} · [\\d.]+ [KMG]B/s · .+ left`));
  const middle = await heap();
  await network(page, {});
  await panel(page).getByText("1 uploaded").first().waitFor();
  expect(Math.max(middle, await heap()) - before).toBeLessThan(30_000_000);
  expect((await fixture.seed.holdall.files.getByKey("gigabyte/film.mov")).size).toBe(size);
});

test("uploads many files in few requests and renders only the rows in view", async () => {
  const [count, shown] = isLongForm ? ([5_000, "5,000"] as const) : ([1_000, "1,000"] as const);
  const { page } = await openFolder("thousands");
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") requests.push(request.url());
  });
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (let at = 0; at < files; at += 1) data.items.add(new File([`${at}`], `file-${at}.txt`));
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, count);
  await panel(page).getByRole("listitem").first().waitFor();
  expect(await panel(page).getByRole("listitem").count()).toBeLessThan(40);
  await panel(page).getByText(`${shown} uploaded`).first().waitFor();
  expect(requests.length).toBeLessThanOrEqual(count / 100 + 5);
});
