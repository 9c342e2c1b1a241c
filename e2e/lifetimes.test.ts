import { afterEach, beforeAll, expect, test } from "bun:test";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

/** A folder to look at the screens in; not set: none is kept. */
const SHOTS = process.env.LIFETIME_SHOTS;

test("the list says when a file ends, and its details and folder change it", async () => {
  await fixture.seed.file("lifetimes/a.txt", "one");
  await fixture.seed.file("lifetimes/sub/b.txt", "two");
  const { page } = await fixture.signedIn({ reducedMotion: true });
  const shoot = async (name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  await page.goto("/files/lifetimes");
  await row(page, "a.txt").click();
  await page.keyboard.press("i");
  const panel = page.getByRole("complementary", { name: "Details" });
  await panel.getByText("The file does not end by itself.").waitFor();
  await panel.getByLabel("Change when the file ends").selectOption("604800");
  await panel.getByText(/^Ends in 7 days: /).waitFor();
  await row(page, "a.txt")
    .getByText(/^Ends in 7 days$/)
    .waitFor();
  await shoot("details");
  await page.reload();
  await row(page, "a.txt")
    .getByText(/^Ends in 7 days$/)
    .waitFor();
  await row(page, "a.txt").click();
  await panel.getByLabel("Change when the file ends").selectOption("never");
  await panel.getByText("The file does not end by itself.").waitFor();
  expect(await row(page, "a.txt").getByText(/^Ends/).count()).toBe(0);

  await page.goto("/files/lifetimes");
  await row(page, "sub").click({ button: "right" });
  await page.getByRole("menuitem", { name: /visibility/i }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("Lifetime of new files here and in subfolders")
    .selectOption("Ends after 30 days");
  await shoot("folder");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.goto("/files/lifetimes/sub");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload" }).first().click();
  await page.getByRole("menuitem", { name: "Files…" }).click();
  await (await chooser).setFiles([
    { name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("three") },
  ]);
  const uploads = page.getByRole("region", { name: "Uploads" });
  const select = uploads.getByLabel("When these uploads end");
  await select.waitFor();
  await row(page, "c.txt")
    .getByText(/^Ends in 30 days$/)
    .waitFor();
  await select.selectOption("Ends after 1 day");
  await row(page, "c.txt")
    .getByText(/^Ends in 1 day$/)
    .waitFor();
  await shoot("uploads");
});
