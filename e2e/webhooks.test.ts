import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { verifyWebhook } from "../sdk/src/webhooks-only.ts";
import { eventually } from "../test/expectations.ts";
import { type Receiver, startReceiver } from "../test/webhook-receiver.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0", OUTGOING_ALLOW: "127.0.0.1" });
  receiver = await startReceiver();
});
afterAll(async () => {
  await fixture.discard();
  receiver.close();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a webhook is created, tested, read, replayed, rotated, paused and deleted", async () => {
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/webhooks");
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await button(page, "Create webhook").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Enter a name.").waitFor();
  await page.getByLabel("Name").fill("website");
  await page.getByLabel("URL").fill(receiver.url);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("heading", { name: "The secret of website" }).waitFor();
  await button(page, "Copy Secret").click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "I've saved it").click();

  receiver.answer = (_delivery, response) => void response.writeHead(200).end("thank you");
  await button(page, "Test website").click();
  await page
    .getByText(/“website” answered 200 in \d+ ms/)
    .first()
    .waitFor();
  const [first] = receiver.received;
  if (first === undefined) throw new Error("Nothing arrived.");
  expect((await verifyWebhook(first.body, first.headers, secret)).type).toBe("webhook.test");

  await fixture.seed.holdall.files.upload(new File(["x"], "hook.txt"));
  await eventually("the change arrives", () => receiver.keys().includes("hook.txt"));
  await button(page, "Deliveries of website").click();
  await page.getByText("hook.txt").waitFor();
  await page.getByText("thank you").first().waitFor();
  await button(page, "Close").last().click();

  const count = receiver.received.length;
  await button(page, "Replay website").click();
  await button(page, "Replay").click();
  await page.getByText("“website” gets the changes again.").first().waitFor();
  await eventually("it arrives again", () => receiver.received.length > count);

  await button(page, "Rotate website").click();
  await button(page, "Rotate secret").click();
  await page.getByRole("heading", { name: "The secret of website" }).waitFor();
  await page.getByText(/Old secret signs until/).waitFor();

  await button(page, "Pause website").click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await button(page, "Resume website").click();
  await page.getByText("Active", { exact: true }).waitFor();

  await button(page, "Delete website").click();
  await button(page, "Delete webhook").click();
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  expect(consoleErrors).toEqual([]);
});
