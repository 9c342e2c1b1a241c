import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connectAgent } from "../test/mcp-client.fixture.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ RATE_LIMIT_API: "0" });
});
afterAll(() => fixture.discard());

test("a key for an agent takes three clicks, and works in a client", async () => {
  const { server, seed } = fixture;
  await seed.holdall.folders.create("work");
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/keys");
  await page.getByRole("button", { name: "Key for an agent" }).first().click();
  await page.getByRole("treeitem", { name: "work" }).click();
  await page.getByRole("button", { name: "Create key", exact: true }).click();
  await page.getByRole("heading", { name: "Your new key: Agent" }).waitFor();

  const [key] = await seed.holdall.keys.list();
  expect(key).toMatchObject({ name: "Agent", folder: { key: "work" } });
  expect(key?.actions).toEqual(["list", "read", "write", "discard"]);
  const days = (Date.parse(`${key?.expiresAt}Z`) - Date.now()) / 86_400_000;
  expect(days).toBeWithin(29.9, 30.1);

  for (const client of ["Claude Desktop", "Cursor", "VS Code", "Others", "Claude Code"]) {
    await page.getByLabel("Client", { exact: true }).selectOption(client);
    const code = await page.getByRole("figure").last().textContent();
    expect(code).toContain(`${server.url}/mcp`);
  }
  const command = await page.getByRole("figure").last().textContent();
  const [, secret = ""] = /Authorization: Bearer (hd_\w+)/.exec(command ?? "") ?? [];
  const agent = await connectAgent(server, "2025-11-25", { Authorization: `Bearer ${secret}` });
  expect(await agent.tools()).toEqual(expect.arrayContaining(["write_text", "delete", "undo"]));
  expect(await agent.tools()).not.toContain("link");
  await agent.close();
  expect(consoleErrors).toEqual([]);
});

test("a key for an agent needs a folder that is not the root", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true });
  await page.goto("/keys");
  const before = (await fixture.seed.holdall.keys.list()).length;
  await page.getByRole("button", { name: "Key for an agent" }).first().click();
  await page.getByRole("button", { name: "Create key", exact: true }).click();
  await page.getByText("Choose a folder.").waitFor();
  await page.getByRole("treeitem", { name: "Files" }).click();
  await page.getByRole("button", { name: "Create key", exact: true }).click();
  await page.getByText("Choose a folder.").waitFor();
  expect(await fixture.seed.holdall.keys.list()).toHaveLength(before);
});
