import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The requests with this method and path from now on. */
function record(page: Page, method: string, path: string): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) {
      requests.push(request);
    }
  });
  return requests;
}

const idsOf = (request: Request): string[] => new URL(request.url()).searchParams.getAll("ids");

test("the sizes of 100 subfolders are loaded together", async () => {
  const { folders } = fixture.seed.holdall;
  for (let at = 1; at <= 100; at += 1) {
    if (at % 10 === 0) await fixture.seed.many(`together/f-${at}`, at / 10);
    else await folders.create(`together/f-${at}`);
  }
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true, height: 5_000 });
  const requests = record(page, "GET", "/api/folders/size");
  await page.goto("/files/together?view=list");
  await row(page, "f-100").getByText("10 files", { exact: true }).waitFor();
  await row(page, "f-10").getByText("1 file", { exact: true }).waitFor();
  await row(page, "f-99").getByText("empty", { exact: true }).waitFor();
  // One of them is of the folder itself, for the status line.
  expect(requests.length).toBeLessThanOrEqual(3);
  const asked = requests.flatMap(idsOf);
  expect(asked.length).toBe(100);
  expect(new Set(asked).size).toBe(100);
  expect(consoleErrors).toEqual([]);
});

test("the sizes of other folders are shown when one of them has been deleted", async () => {
  const { folders } = fixture.seed.holdall;
  for (const name of ["a", "b", "c", "gone"]) await fixture.seed.file(`deleted/${name}/x.txt`);
  const { folder } = await folders.browse({ key: "deleted/gone" });
  const { page } = await fixture.signedIn({ reducedMotion: true, expectedStatuses: [404] });
  const requests = record(page, "GET", "/api/folders/size");
  await page.route("**/api/folders/size?ids=*", async (route) => {
    if (idsOf(route.request()).length === 4) await folders.delete(folder.id);
    await route.fallback();
  });
  await page.goto("/files/deleted?view=list");
  for (const name of ["a", "b", "c"]) {
    await row(page, name).getByText("1 file", { exact: true }).waitFor();
  }
  expect(requests.map((request) => idsOf(request).length)).toContain(4);
});

test("3,000 files are moved in one request, deleted and restored in a few", async () => {
  await fixture.seed.many("thousands/from", 3_000);
  const { id: from } = (await folderOf("thousands/from")).folder;
  const { id: to } = await fixture.seed.holdall.folders.create("thousands/to");
  const filesIn = async (id: string) => (await fixture.seed.holdall.folders.size({ id })).files;
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  const moves = record(page, "PUT", "/api/files");
  const deletions = record(page, "DELETE", "/api/files");
  const restores = record(page, "POST", "/api/trash/restore");
  await page.goto("/files/thousands/from?view=list");
  await selectAll(page);
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: "to", exact: true }).click();
  await button(page, "Move here").click();
  await page.getByText("Moved 3,000 items to “to”.").first().waitFor();
  expect(moves.length).toBe(1);
  expect([await filesIn(from), await filesIn(to)]).toEqual([0, 3_000]);

  await page.goto("/files/thousands/to?view=list");
  await selectAll(page);
  await button(page, "Delete").click();
  await page.getByText("Moved 3,000 items to the trash.").first().waitFor();
  // The default of `maxDeleteBatch` is 500.
  expect(deletions.length).toBe(6);
  expect(await filesIn(to)).toBe(0);
  expect(await button(page, "Undo").count()).toBe(1);
  await button(page, "Undo").click();
  await page.getByText("Restored 3,000 items.").first().waitFor();
  expect(restores.length).toBe(6);
  expect(await filesIn(to)).toBe(3_000);
  await eventually("they are listed", async () => (await page.getByRole("row").count()) > 10);
  expect(consoleErrors).toEqual([]);
}, 300_000);

const folderOf = (key: string) => fixture.seed.holdall.folders.browse({ key });

async function selectAll(page: Page): Promise<void> {
  await page.getByRole("grid").waitFor();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByText("3,000 selected").first().waitFor();
}
