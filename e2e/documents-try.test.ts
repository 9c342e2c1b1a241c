import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { operations } from "../contract/operations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Visit } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

/** Opens the form of an operation. */
async function openForm(
  topic: string,
  id: string,
  width?: number,
): Promise<Visit & { form: Locator }> {
  const { place, ...visit } = await openPlace(topic, id, width);
  const form = place.locator("form");
  await form.waitFor();
  return { ...visit, form };
}

/** Opens "Try it" of an operation. */
async function openPlace(
  topic: string,
  id: string,
  width = 1440,
): Promise<Visit & { place: Locator }> {
  const visit = await fixture.signedIn({ width, expectedStatuses: [404] });
  await visit.page.goto("/overview");
  await visit.page.getByRole("heading", { name: "Overview" }).first().waitFor();
  await visit.page.goto(`/docs/api/${topic}#${id}`);
  const place = visit.page.locator(`#${id} .try`);
  await place.locator("> summary").click();
  return { ...visit, place };
}

const bodyOf = (page: Page) => page.getByRole("region", { name: "Response body" });

describe("Try it", () => {
  test("sends a query with the session, and shows status, headers and body", async () => {
    await fixture.seed.file("try/harbour.txt", "Hello");
    const { page, form, consoleErrors } = await openForm("files", "listFiles");
    await form.getByLabel("key", { exact: true }).fill("try/harbour.txt");
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText("200 OK").waitFor();
    // Screen readers would read the whole response.
    expect(await form.getByRole("status").textContent()).toMatch(/^200 OK · \d+ ms$/);
    expect(JSON.parse((await bodyOf(page).textContent()) ?? "").data.file.name).toBe("harbour.txt");
    await form.getByText("Response headers").click();
    const headers = await form.getByRole("region", { name: "Response headers" }).textContent();
    expect(headers).toContain("content-type: application/json");
    expect(await axeViolations(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  test("sends files of a form, and JSON that the reader has changed", async () => {
    const { page, form } = await openForm("files", "uploadFiles", 390);
    await form.getByLabel("files").setInputFiles({
      name: "tried.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("tried"),
    });
    await form.getByLabel("folder", { exact: true }).fill("try/form");
    await form.getByRole("button", { name: "Send POST" }).click();
    await form.getByText("200 OK").waitFor();
    const { id } = await fixture.seed.holdall.files.getByKey("try/form/tried.txt");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

    const signing = page.locator("#signFile .try");
    await signing.locator("> summary").click();
    await signing.getByRole("textbox", { name: "Body" }).fill(JSON.stringify({ id }));
    await signing.getByRole("button", { name: "Send POST" }).click();
    await signing.getByText("200 OK").waitFor();
    await signing.getByRole("textbox", { name: "Body" }).fill("{");
    await signing.getByRole("button", { name: "Send POST" }).click();
    await signing.getByText(/^400/).waitFor();
  });

  test("sends several values of a parameter, each by itself", async () => {
    const { page, form } = await openForm("files", "listFiles");
    await fixture.seed.file("try/several.txt", "Hello");
    await form.getByLabel("key", { exact: true }).fill("try/several.txt");
    await form.getByLabel("include").selectOption(["digest", "etag"]);
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText("200 OK").waitFor();
    const { file } = JSON.parse((await bodyOf(page).textContent()) ?? "").data;
    expect(Object.keys(file)).toContain("etag");
    expect(Object.keys(file)).toContain("sha256");
    expect(await axeViolations(page)).toEqual([]);

    const { page: archive, form: download } = await openForm("files", "downloadSelection");
    const request = archive.waitForRequest(/download\?/);
    await download.getByLabel("keys").fill("try/several.txt\n\ntry/a b.txt");
    await download.getByRole("button", { name: "Send GET" }).click();
    const { searchParams } = new URL((await request).url());
    expect(searchParams.getAll("keys")).toEqual(["try/several.txt", "try/a b.txt"]);
  });

  test("shows the address of a page that redirects, in place of a form", async () => {
    const { page, place } = await openPlace("account", "beginOidc");
    await place.getByText(/^There is nothing to send from here/).waitFor();
    expect(await place.getByRole("region", { name: "Address" }).textContent()).toBe(
      `${fixture.server.url}/auth/oidc`,
    );
    expect(await place.getByRole("button").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test.each([
    ["settings", "changeSettings", "PUT", "{}"],
    ["files", "changeFile", "PUT", '{"ids":[],"visibility":"private"}'],
    ["folders", "changeFolder", "PUT", '{"id":"x","visibility":"private"}'],
    ["trash", "restoreVersion", "POST", "{}"],
    ["files", "copyFiles", "POST", '{"id":"x","onConflict": "replace"}'],
  ])("asks before it changes what exists: %s, %s", async (topic, id, method, body) => {
    const { page, form } = await openForm(topic, id);
    await form.getByLabel("Body").fill(body);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await form.getByRole("button", { name: `Send ${method}` }).click();
    const dialog = page.getByRole("dialog", { name: "Send it to this instance?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(requests).toEqual([]);
  });

  test("asks before it deletes", async () => {
    await fixture.seed.file("try/gone.txt", "Hello");
    const file = await fixture.seed.holdall.files.getByKey("try/gone.txt");
    const { page, form } = await openForm("files", "deleteFiles");
    await form.getByLabel("Body").fill(JSON.stringify({ id: file.id }));
    const sendIt = form.getByRole("button", { name: "Send DELETE" });
    const dialog = page.getByRole("dialog", { name: "Send it to this instance?" });
    await sendIt.click();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await fixture.seed.holdall.files.getByKey("try/gone.txt")).id).toBe(file.id);
    await sendIt.click();
    await dialog.getByRole("button", { name: "Send DELETE" }).click();
    await form.getByText("200 OK").waitFor();
    await expect(fixture.seed.holdall.files.getByKey("try/gone.txt")).rejects.toThrow("not found");
  });

  test("asks before it ends recovery codes", async () => {
    const { page, form } = await openForm("account", "renewRecoveryCodes");
    await form.getByRole("button", { name: "Send PUT" }).click();
    const dialog = page.getByRole("dialog", { name: "Send it to this instance?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await form.getByRole("status").textContent()).toBe("");
  });

  test("says that the text of a header cannot be sent", async () => {
    const { form } = await openForm("files", "readContent");
    await form.getByText("Request headers").click();
    await form.getByLabel("If-None-Match").fill("“a”");
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText(/^This cannot be sent\. .*ISO-8859-1/).waitFor();
  });

  test("sends nothing with the session in place of a key that has ended", async () => {
    const { page, form } = await openForm("settings", "readSettings");
    const noteKey = (until: number) =>
      page.evaluate((text) => sessionStorage.setItem("holdall-docs-key", text), `${until} hd_none`);
    await noteKey(Date.now() + 60_000);
    await form.getByLabel("Credentials").focus();
    await form.getByLabel("Credentials").selectOption("With the key of the examples");
    await noteKey(1);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText("The key of the examples has ended. Reload the page.").waitFor();
    expect(requests).toEqual([]);
  });

  test("can use the key of the examples instead, with its rights", async () => {
    const { page, form } = await openForm("settings", "readSettings");
    await page.getByRole("button", { name: /new API key/ }).click();
    await page.getByText("The examples on this page have your new key").waitFor();
    await form.getByLabel("Credentials").focus();
    await form.getByLabel("Credentials").selectOption("With the key of the examples");
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.getByText(/^403/).waitFor();
  });

  test("is there for each operation of the reference, and for signed-in readers only", async () => {
    const { page } = await openForm("files", "listFiles");
    const topics = await page
      .getByRole("navigation", { name: "API reference", exact: true })
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    const ids = new Set<string>();
    for (const topic of new Set(topics.filter((href) => !href.startsWith("#")))) {
      await page.goto(new URL(topic, `${fixture.server.url}/docs/api/files`).href);
      const sections = page.locator("section.operation:has(.try)");
      for (const id of await sections.evaluateAll((all) => all.map((each) => each.id))) ids.add(id);
    }
    expect([...ids].toSorted()).toEqual(Object.keys(operations).toSorted());

    const { page: stranger } = await fixture.anonymous();
    await stranger.goto("/docs/api/files");
    await stranger.getByRole("tab").first().waitFor();
    expect(await stranger.locator(".try").count()).toBe(0);
  });
});
