import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";

/** The host that files are fetched from. */
const source = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) =>
    url.endsWith("/none.txt")
      ? new Response("none", { status: 404 })
      : new Response("fetched", { headers: { "Content-Type": "text/plain" } }),
});
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ OUTGOING_ALLOW: "127.0.0.0/8" });
  await fixture.seed.file("fetched/a.txt");
});
afterEach(closeVisits);
afterAll(async () => {
  await fixture.discard();
  await source.stop(true);
});

test("adds files from URLs beside those with their names, and says which could not be fetched", async () => {
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/files/fetched");
  await row(page, "a.txt").waitFor();
  const open = async () => {
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByRole("menuitem", { name: "From URLs…" }).click();
    await page.getByRole("dialog", { name: "Add from URLs" }).waitFor();
  };
  await open();
  // The field has the focus.
  await page.keyboard.type("example.com/b.txt");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("“example.com/b.txt” does not start with http:// or https://.").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel("URLs of files").fill(`${source.url}a.txt\n${source.url}b.txt`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Added 2 files from URLs.").first().waitFor();
  await row(page, "b.txt").waitFor();
  await row(page, "a (2).txt").waitFor();
  const { files } = fixture.seed.holdall;
  const { id } = await files.getByKey("fetched/b.txt");
  expect(await (await files.download(id)).response.text()).toBe("fetched");

  await open();
  await page.getByLabel("URLs of files").fill(`${source.url}none.txt`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(/404/).first().waitFor();
  expect(consoleErrors).toEqual([]);
});
