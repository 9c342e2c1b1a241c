import { expect, test } from "bun:test";
import { axeViolations } from "./axe-violations.ts";
import { dropFiles } from "./drag-files.ts";
import { holdRequests } from "./hold-requests.ts";
import { holdFolderReads, recordTitles } from "./read-folders.ts";
import { startUploadFixture } from "./upload-fixture.ts";
import {
  choose,
  holdForms,
  keysIn,
  network,
  openFolder,
  panel,
  press,
  reload,
  startSlowly,
  waitForText,
} from "./upload-panel.ts";
import { waitForActivity } from "./wait-for-activity.ts";

const { fixture, local } = await startUploadFixture();

/** A local folder with files of 20 kB in 20 subfolders. */
function album(name: string, files: number): string {
  for (let at = 0; at < files; at += 1) {
    local.file(`${name}/${at % 20}/${at}.jpg`, `${name} ${at} `.padEnd(20_000, "x"));
  }
  return local.folder(name);
}

/** The failures that the activity log has, all of what came before included. */
async function failuresUntilNow(folder: string) {
  const { folders, activity } = fixture.seed.holdall;
  const { key } = await folders.create(`${folder}-mark-${Bun.randomUUIDv7()}`);
  await waitForActivity(fixture.seed.holdall, ({ subject }) => subject?.key === key);
  return (await activity.list({ limit: 200, outcome: "failed" })).activity;
}

test("a folder of 300 files is one row, and appears at once for everybody", async () => {
  // The server may still store what was on its way when the upload was paused.
  const { page, consoleErrors } = await openFolder(fixture, "album", [409, 423]);
  const path = album("harbour", 300);
  local.sparse("harbour/film.mov", 12_000_000);
  await network(page, { up: 1_000_000 });
  await dropFiles(page, [path]);
  await waitForText(page, /^[1-9]\d* of 301 files · .* of 18\.0 MB · .*\/s · \d+ s left$/);
  // Enough time for what follows, on a busy machine too.
  await network(page, { up: 100_000 });
  expect(await panel(page).getByRole("listitem").count()).toBe(1);
  expect(await axeViolations(page)).toEqual([]);
  expect(await keysIn(fixture, "album")).toEqual([]);

  await press(page, "Pause harbour");
  await waitForText(page, /^Paused · \d+ of 301 files/);
  expect(await keysIn(fixture, "album")).toEqual([]);
  await network(page, {});
  await press(page, "Resume harbour");
  const { holdall } = fixture.seed;
  const seen = new Set<number>();
  while (!(await panel(page).getByText("301 uploaded").first().isVisible())) {
    const found = await holdall.files.list();
    seen.add(found.filter(({ key }) => key.startsWith("album/")).length);
    await Bun.sleep(10);
  }
  expect([...seen].filter((count) => count !== 0 && count !== 301)).toEqual([]);
  expect(await keysIn(fixture, "album")).toHaveLength(301 + 21);
  await page.getByRole("row", { name: "harbour" }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("while a folder is being read, nothing says uploaded and leaving the page is guarded", async () => {
  const { page } = await openFolder(fixture, "reading");
  for (let at = 0; at < 130; at += 1) local.file(`slow-album/flat/${at}.jpg`, "x");
  // The album, and the first 100 files of its subfolder.
  const reads = await holdFolderReads(page, 2);
  const titles = await recordTitles(page);
  await dropFiles(page, [local.file("loose.jpg"), local.folder("slow-album")]);
  await waitForText(page, "Reading the folder · 100 files");
  await waitForText(page, "9 B · reading");
  expect(await keysIn(fixture, "reading")).toEqual(["reading/loose.jpg"]);
  expect(await panel(page).getByRole("heading").textContent()).toBe("Uploading");
  expect(await axeViolations(page)).toEqual([]);
  const warning = page.waitForEvent("dialog");
  const leaving = page.evaluate(() => location.assign("/docs"));
  expect((await warning).type()).toBe("beforeunload");
  await (await warning).dismiss();
  await leaving;

  await reads.evaluate((held) => held.release());
  await waitForText(page, "131 uploaded");
  const said = (await titles.jsonValue()).filter((title) => title.includes("uploaded"));
  expect([...new Set(said)]).toEqual(["131 uploaded"]);
  expect(await keysIn(fixture, "reading")).toHaveLength(131 + 2);
});

test("a folder with empty subfolders that is dropped again records no failure", async () => {
  const { page, consoleErrors } = await openFolder(fixture, "twice");
  const before = await failuresUntilNow("twice");
  local.file("site-again/a/one.txt");
  local.folder("site-again/b/empty");
  local.folder("site-again/größe");
  const path = local.folder("site-again");
  await dropFiles(page, [path]);
  await waitForText(page, "1 uploaded");
  const keys = ["/", "/a/", "/a/one.txt", "/b/", "/b/empty/", "/größe/"];
  expect(await keysIn(fixture, "twice")).toEqual(keys.map((key) => `twice/site-again${key}`));
  await press(page, "Close");

  await dropFiles(page, [path]);
  await press(page, "Replace");
  await waitForText(page, "1 uploaded");
  expect(await failuresUntilNow("twice")).toEqual(before);
  expect(consoleErrors).toEqual([]);
});

test("after a reload, a folder continues with what is missing once it is given again", async () => {
  const { page } = await openFolder(fixture, "again");
  const path = album("again-album", 300);
  const forms = await holdForms(page, 1);
  await dropFiles(page, [path]);
  await waitForText(page, /^[1-9]\d* of 300 files/);
  await reload(page);
  await waitForText(page, /^[1-9]\d* of 300 files stored – choose the folder again to continue$/);
  expect(await axeViolations(page)).toEqual([]);
  const status = await panel(page)
    .getByText(/of 300 files stored/)
    .first()
    .textContent();
  const stored = Number.parseInt(status ?? "", 10);
  await forms.release();
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/files")) {
      sent += Number(request.headers()["content-length"] ?? 0);
    }
  });
  await choose(page, () => press(page, "Choose folder again-album again"), path);
  await waitForText(page, "300 uploaded");
  expect(await keysIn(fixture, "again")).toHaveLength(300 + 21);
  expect(sent).toBeLessThan((300 - stored) * 21_000);
});

test("a folder that is dropped again starts again if a stored file has changed", async () => {
  const { page } = await openFolder(fixture, "stale", [404]);
  const path = album("stale-album", 120);
  const forms = await holdForms(page, 1);
  await dropFiles(page, [path]);
  await waitForText(page, /^[1-9]\d* of 120 files/);
  await reload(page);
  await waitForText(page, /of 120 files stored/);
  for (let at = 0; at < 120; at += 1) local.file(`stale-album/${at % 20}/${at}.jpg`, "new");
  await forms.release();
  await dropFiles(page, [path]);
  await waitForText(page, "120 uploaded");
  for (const at of [0, 60, 119]) {
    const url = fixture.seed.holdall.url(`stale/stale-album/${at % 20}/${at}.jpg`);
    expect(await (await fetch(url)).text()).toBe("new");
  }
});

test("asks once about all taken names of a folder, before anything is sent", async () => {
  const { page } = await openFolder(fixture, "names");
  local.file("site/index.html", "new");
  local.file("site/css/site.css", "new");
  local.file("site/new.html", "new");
  await fixture.seed.file("names/site/index.html", "old");
  await fixture.seed.file("names/site/css/site.css", "old");
  const text = async (path: string) =>
    (await fetch(fixture.seed.holdall.url(`names/site/${path}`))).text();
  await dropFiles(page, [local.folder("site")]);
  await panel(page).getByRole("group", { name: "Files already exist" }).waitFor();
  await waitForText(page, /2 files of “site” already exist in/);
  expect(await axeViolations(page)).toEqual([]);
  await press(page, "Skip");
  await waitForText(page, "1 file · 9 B · names · 2 skipped, because they already exist");
  expect([await text("index.html"), await text("new.html")]).toEqual(["old", "new"]);
  await press(page, "Close");

  await dropFiles(page, [local.folder("site")]);
  await waitForText(page, /3 files of “site” already exist in/);
  await press(page, "Replace");
  await waitForText(page, "3 uploaded");
  expect([await text("index.html"), await text("css/site.css")]).toEqual(["new", "new"]);
});

test("a file that is refused keeps the folder from appearing until it is left out", async () => {
  const { page } = await openFolder(fixture, "refused", [400]);
  local.file("mixed/good.txt");
  local.file("mixed/\u0007bell.txt");
  await dropFiles(page, [local.folder("mixed")]);
  await waitForText(page, /^1 file failed\. .*must not contain control characters/);
  expect(await keysIn(fixture, "refused")).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await press(page, "Leave out the failed files of mixed");
  await waitForText(page, "1 uploaded");
  expect(await keysIn(fixture, "refused")).toEqual(["refused/mixed/", "refused/mixed/good.txt"]);
});

test("a cancelled folder leaves nothing, and can be uploaded again", async () => {
  const { page } = await openFolder(fixture, "cancelled");
  const path = album("unwanted", 200);
  const forms = await holdForms(page, 1);
  await dropFiles(page, [path]);
  await waitForText(page, /^[1-9]\d* of 200 files/);
  const dropped = page.waitForResponse((response) => response.request().method() === "DELETE");
  await press(page, "Cancel unwanted");
  await waitForText(page, "Cancelled");
  expect((await dropped).status()).toBe(200);
  expect(await keysIn(fixture, "cancelled")).toEqual([]);
  await forms.release();
  await press(page, "Upload unwanted again");
  await waitForText(page, "200 uploaded");
  expect(await keysIn(fixture, "cancelled")).toHaveLength(200 + 21);
});

test("a cancelled upload is not recorded as a failure", async () => {
  const { page } = await openFolder(fixture, "stopped", [404]);
  const before = await failuresUntilNow("stopped");
  await network(page, { up: 20_000 });
  await dropFiles(page, [local.file("note.txt", "x".repeat(500_000))]);
  await waitForText(page, /B of 500 KB/);
  await press(page, "Cancel note.txt");
  await waitForText(page, "Cancelled");
  await network(page, {});
  const film = local.sparse("film.mov", 30_000_000);
  await startSlowly(page, () => dropFiles(page, [film]));
  const dropped = page.waitForResponse((response) => response.request().method() === "DELETE");
  await press(page, "Cancel film.mov");
  expect((await dropped).status()).toBe(204);
  expect(await failuresUntilNow("stopped")).toEqual(before);
});

test("a folder whose batch the server does not know any more starts again", async () => {
  const { page } = await openFolder(fixture, "lost", [404]);
  const path = album("lost-album", 120);
  const created = page.waitForResponse((response) => response.url().endsWith("/api/batches"));
  const forms = await holdForms(page, 1);
  await dropFiles(page, [path]);
  await waitForText(page, /^[1-9]\d* of 120 files/);
  const { url } = (await (await created).json()).data;
  await fetch(`${fixture.server.url}/${url}`, { method: "DELETE" });
  const formsOfNextBatch = await holdRequests(
    page,
    "**/api/batches/*/files",
    (request) => !request.url().includes(url),
  );
  await forms.release();
  await waitForText(page, /^0 of 120 files/);
  await formsOfNextBatch.release();
  await waitForText(page, "120 uploaded");
  expect(await keysIn(fixture, "lost")).toHaveLength(120 + 21);
});
