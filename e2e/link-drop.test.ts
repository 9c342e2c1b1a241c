import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { chooseFiles } from "./link-page-states.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

/** A link for sending files to a new folder. */
async function dropLink(folder: string, options: { maxFiles?: number; uses?: number } = {}) {
  const { holdall } = fixture.seed;
  const { id } = await holdall.folders.create(folder);
  return `/${(await holdall.links.create({ folderId: id, kind: "drop", ...options })).url}`;
}

const send = (page: Page) => page.getByRole("button", { name: /^Send/ }).click();
const isSent = (page: Page) => page.getByRole("heading", { name: "Thank you" }).waitFor();

async function received(folder: string): Promise<string[]> {
  const { holdall } = fixture.seed;
  const names: string[] = [];
  for await (const file of holdall.files.each({})) {
    if (file.key.startsWith(`${folder}/`)) names.push(file.name);
  }
  return names.toSorted();
}

test("chosen files can be removed and added to before they are sent", async () => {
  const link = await dropLink("several");
  const { page, consoleErrors } = await fixture.anonymous();
  await page.goto(link);
  await chooseFiles(3, 100)(page);
  await page.getByRole("button", { name: "Remove harbour-2.jpg" }).click();
  const input = page.getByLabel("Choose files");
  const buffer = Buffer.from("text");
  await input.setInputFiles([{ name: "notes.txt", mimeType: "text/plain", buffer }]);
  await page.getByRole("button", { name: "Send 3 files" }).waitFor();
  await send(page);
  await isSent(page);
  expect(await received("several")).toEqual(["harbour-1.jpg", "harbour-3.jpg", "notes.txt"]);
  await page.getByRole("button", { name: "Send more files" }).click();
  await chooseFiles(1, 50)(page);
  await send(page);
  await page.getByText("Your file has arrived.").waitFor();
  expect(await received("several")).toHaveLength(4);
  expect(consoleErrors).toEqual([]);
});

test("an upload continues after its page was closed, without sending what has arrived", async () => {
  const link = await dropLink("resumed");
  const { page, context } = await fixture.anonymous();
  await page.goto(link);
  let forms = 0;
  // The first form arrives. The others fail, also while the page closes.
  await context.route("**/api/batches/*/files", (route) => {
    forms += 1;
    void (forms === 1 ? route.continue() : route.abort("failed"));
  });
  await chooseFiles(8, 2_000_000)(page);
  await send(page);
  await page.getByText(/^[1-9] of 8 files/).waitFor();
  await page.close({ runBeforeUnload: false });

  await context.unrouteAll();
  const again = await context.newPage();
  let sent = 0;
  await again.route("**/api/batches/*/files", (route) => {
    sent += 1;
    void route.continue();
  });
  await again.goto(link);
  await again.getByText("Sending 8 files was interrupted").waitFor();
  expect(await received("resumed")).toEqual([]);
  await chooseFiles(8, 2_000_000)(again);
  await send(again);
  await isSent(again);
  // Two files share a request, and two have arrived.
  expect(sent).toBeLessThan(4);
  expect(await received("resumed")).toHaveLength(8);
  await again.reload();
  expect(await again.getByText("was interrupted").count()).toBe(0);
});

test("sending can be paused and continued", async () => {
  const link = await dropLink("later");
  const { page } = await fixture.anonymous();
  await page.goto(link);
  await page.route("**/api/batches/*/files", () => undefined);
  await chooseFiles(2)(page);
  await send(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("heading", { name: "Paused" }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Continue" }).click();
  await isSent(page);
  expect(await received("later")).toHaveLength(2);
});

test("a large file is sent in parts", async () => {
  const link = await dropLink("large");
  const { page } = await fixture.anonymous();
  await page.goto(link);
  let parts = 0;
  page.on("request", (request) => {
    if (request.method() === "PATCH") parts += 1;
  });
  await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(20_000_000)], "film.mp4"));
    const input = document.querySelector<HTMLInputElement>("#files");
    if (input === null) return;
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
  });
  await send(page);
  await isSent(page);
  expect(parts).toBeGreaterThan(1);
  expect(await received("large")).toEqual(["film.mp4"]);
});

test("dropped files are chosen, and too many are refused before anything is sent", async () => {
  const link = await dropLink("dropped", { maxFiles: 2 });
  const { page } = await fixture.anonymous();
  await page.goto(link);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    for (const name of ["a.txt", "b.txt", "c.txt"]) dataTransfer.items.add(new File(["x"], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
  });
  await page.getByRole("alert").getByText("at most 2").waitFor();
  await page.getByRole("button", { name: "Remove c.txt" }).click();
  await send(page);
  await isSent(page);
  expect(await received("dropped")).toEqual(["a.txt", "b.txt"]);
});

test("a visitor of a link with one visit can send files", async () => {
  const link = await dropLink("once", { uses: 1 });
  const { page } = await fixture.anonymous();
  await page.goto(link);
  await chooseFiles(1)(page);
  await send(page);
  await isSent(page);
  const other = await fixture.anonymous({ expectedStatuses: [404] });
  await other.page.goto(link);
  await other.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  expect(await received("once")).toHaveLength(1);
});

test("a link that ends while files are chosen says so", async () => {
  const link = await dropLink("revoked");
  const { page } = await fixture.anonymous({ expectedStatuses: [404] });
  await page.goto(link);
  await chooseFiles(1)(page);
  const { links } = await fixture.seed.holdall.links.list();
  await fixture.seed.holdall.links.revoke(links[0]?.id ?? "");
  await send(page);
  await page.getByText("This link does not work any more").waitFor();
});
