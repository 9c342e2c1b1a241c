import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { removeFolder, run, temporaryFolder } from "../test/harness.ts";
import { closeVisits } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { HEALTH_PAGE_STATES } from "./health-page-states.ts";
import { failWith500 } from "./steps.ts";

afterEach(closeVisits);
let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await createBrowserFixture({ SCRUB_EVERY: "0", SCRUB_RATE: "1gb" });
  await fixture.seed.file("harbour.txt", "The boats are in.");
});
const folder = temporaryFolder();
afterAll(async () => {
  await fixture.discard();
  removeFolder(folder);
});

const panel = (page: Page, name: string) => page.getByRole("region", { name });

async function show() {
  const visit = await fixture.signedIn({ reducedMotion: true });
  await visit.page.goto("/health");
  await panel(visit.page, "Checks").waitFor();
  return visit;
}

test("checks all files on request, and names the damaged ones", async () => {
  const { page, consoleErrors } = await show();
  const checks = panel(page, "Checks");
  await checks.getByText("The files have not been checked yet.").waitFor();
  await page.getByText("The files have never been checked for damage.").waitFor();
  await checks.getByRole("button", { name: "Check now" }).click();
  await checks.getByText(/^The only file was checked .*\. No damage found\.$/).waitFor();

  damageFile("The boats are in.", "The boats are IN.");
  await checks.getByRole("button", { name: "Check now" }).click();
  await checks.getByText(/^The only file was checked .*\. 1 problem found\.$/).waitFor();
  await page.getByRole("alert").filter({ hasText: "1 file is damaged or missing." }).waitFor();
  await checks.getByRole("link", { name: "harbour.txt" }).click();
  await page.waitForURL(/\/files\?file=/);
  expect(consoleErrors).toEqual([]);
});

test("shows the command for a backup, and when the last one was made", async () => {
  const { page } = await show();
  const backups = panel(page, "Backups");
  await backups.getByText("No backup is recorded yet.").waitFor();
  const path = join(folder, "backup");
  await run(["backup", path], fixture.server.env);
  await page.reload();
  await backups.getByText("Last backup: today.").waitFor();
  await backups.getByText(`npm run holdall -- backup ${path}`).waitFor();
});

test("shows what the server depends on", async () => {
  const { page } = await show();
  const server = panel(page, "Server");
  await server.getByText("Database: SQLite responds").waitFor();
  await server.getByText("File storage: This machine's disk responds").waitFor();
  await panel(page, "Space").getByRole("meter", { name: "Volume used" }).waitFor();
});

test("says when what it shows is older, and then calls nothing fine", async () => {
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [500] });
  await HEALTH_PAGE_STATES.find(({ name }) => name === "health")?.before?.(page);
  await page.goto("/health");
  const fine = page.getByText("Everything is fine.");
  await fine.waitFor();
  await failWith500("**/api/health/details")(page);
  await panel(page, "Checks").getByRole("button", { name: "Check now" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "What follows is older." });
  await notice.getByText("Couldn't read the health of the server: Unexpected server").waitFor();
  expect(await fine.count()).toBe(0);
  await page.unroute("**/api/health/details");
  await panel(page, "Checks").getByRole("button", { name: "Check now" }).click();
  await notice.waitFor({ state: "detached" });
});

/** Changes the bytes of the blob with this content. */
function damageFile(content: string, other: string): void {
  const blobs = join(fixture.server.dataPath, "blobs");
  for (const name of readdirSync(blobs, { recursive: true, encoding: "utf8" })) {
    const path = join(blobs, name);
    if (!statSync(path).isFile() || readFileSync(path, "utf8") !== content) continue;
    chmodSync(path, 0o600);
    writeFileSync(path, other);
  }
}
