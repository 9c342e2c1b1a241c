import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);
const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(15, 17, 19)";

const shows = (page: Page, wanted: string) =>
  page.waitForFunction(
    (expected) => getComputedStyle(document.body).backgroundColor === expected,
    wanted,
  );

test("the chosen theme applies to every page, including /docs and /docs/durability", async () => {
  const fixture = await sharedFixture();
  const { page, context, consoleErrors } = await fixture.signedIn({
    theme: "light",
    reducedMotion: true,
  });
  await page.goto("/settings");
  const choose = async (name: string) => {
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menu").waitFor();
    expect(await axeViolations(page, "[role=menu]", "this theme")).toEqual([]);
    await page.getByRole("menuitemradio", { name: `${name} theme` }).click();
  };
  await shows(page, LIGHT);
  await choose("Dark");
  await shows(page, DARK);

  const other = await context.newPage();
  for (const path of ["/docs", "/docs/durability", "/files"]) {
    await other.goto(path);
    await shows(other, DARK);
  }
  await other.goto("/docs");
  await choose("Light");
  await shows(other, LIGHT);
  await other.close();
  await page.emulateMedia({ colorScheme: "dark" });
  await shows(page, LIGHT);
  await choose("System");
  await shows(page, DARK);
  expect(consoleErrors).toEqual([]);
});
