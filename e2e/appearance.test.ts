import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { encodePng } from "../test/image-encoders.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture();
});
afterEach(closeVisits);
afterAll(() => fixture.discard());

test("the settings change the name, the color and the logo that visitors see", async () => {
  const { page, consoleErrors } = await fixture.signedIn();
  await page.goto("/settings/appearance");
  await page.getByLabel("Name", { exact: true }).fill("Skov & Søn");
  await page.getByLabel("Color", { exact: true }).fill("#ffcc00");
  await page.getByText("As chosen").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("region", { name: "Notifications" }).getByText("Saved.").waitFor();
  const buffer = encodePng(400, 100, () => [200, 40, 40]);
  const chosen = { name: "logo.png", mimeType: "image/png", buffer };
  await page.getByLabel("Image of the logo").setInputFiles(chosen);
  await page.getByAltText("The logo on light pages").waitFor();

  const { holdall } = fixture.seed;
  const { id } = await holdall.folders.create("inbox");
  const { url } = await holdall.links.create({ folderId: id, kind: "drop" });
  const visitor = await fixture.anonymous({ theme: "dark" });
  await visitor.page.goto(`/${url}`);
  expect(await visitor.page.title()).toBe("Send files · Skov & Søn");
  const logo = visitor.page.locator(".sender img");
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  const icon = visitor.page.locator(".zone .icon");
  expect(await icon.evaluate((node) => getComputedStyle(node).color)).toBe("rgb(255, 204, 0)");
  await visitor.page.goto("/sign-in");
  await visitor.page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  await visitor.page.getByText("Skov & Søn").waitFor();
  expect(await visitor.page.title()).toBe("Sign in · Skov & Søn");

  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Choose an image" }).waitFor();
  const refused = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };
  await page.getByLabel("Image of the logo").setInputFiles(refused);
  await page.getByText("Send a PNG, JPEG or WebP image.").waitFor();
  expect(
    [...consoleErrors, ...visitor.consoleErrors].filter((text) => !text.includes("415")),
  ).toEqual([]);
});
