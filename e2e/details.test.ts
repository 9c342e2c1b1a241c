import { afterEach, beforeAll, expect, test } from "bun:test";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

test("the details of a file show its digest, and its headers can be changed", async () => {
  await fixture.seed.file("details/a.txt", "content");
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [400] });
  await page.goto("/files/details");
  const digest = new Bun.CryptoHasher("sha256").update("content").digest("hex");
  const openDetails = async () => {
    await page.getByRole("grid").getByText("a.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    await page.getByText(digest).waitFor();
    await page.getByRole("button", { name: "Edit headers…" }).click();
    await page.getByLabel("Cache-Control").waitFor();
  };
  const save = page.getByRole("button", { name: "Save headers" });
  await openDetails();
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel("Cache-Control").fill("max-age=x");
  await save.click();
  await page.getByText("must be a list of cache directives").waitFor();
  await page.getByLabel("Cache-Control").fill("no-cache");
  await page.getByRole("button", { name: "Add X-Meta header" }).click();
  await page.getByLabel("Header name after X-Meta-").fill("author");
  await page.getByLabel("Value of X-Meta-author").fill("Ada");
  await page.keyboard.press("Enter");
  await page.getByText("Headers saved.").first().waitFor();

  await openDetails();
  expect(await page.getByLabel("Cache-Control").inputValue()).toBe("no-cache");
  expect(await page.getByLabel("Value of X-Meta-author").inputValue()).toBe("Ada");
  await page.getByRole("button", { name: "Remove X-Meta-author" }).click();
  await save.click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await openDetails();
  expect(await page.getByLabel("Cache-Control").inputValue()).toBe("no-cache");
  expect(await page.getByLabel("Value of X-Meta-author").count()).toBe(0);
});
