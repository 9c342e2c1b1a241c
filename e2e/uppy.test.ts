import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Holdall } from "../sdk/src/holdall.ts";
import { unique } from "../test/client.ts";
import { startServer, type TestServer } from "../test/harness.ts";
import { closeVisits, visit } from "./browser.ts";
import { network } from "./upload-panel.ts";
import type { UppyPage } from "./uppy-page.ts";

const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, "uppy-page.ts")],
  target: "browser",
});
const script = await bundle.outputs[0]?.text();

declare global {
  interface Window {
    readonly uppyPage: UppyPage;
  }
}

let server: TestServer;
let holdall: Holdall;
/** The site of the page: another origin. */
let site: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT_API: "0" });
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/page.js")
        ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>Site</title><script src=/page.js></script>", {
            headers: { "Content-Type": "text/html" },
          }),
  });
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

const SIZE = 6_000_000;
const NAME = "clip.mp4";

/** Bytes per second: what a test does meanwhile takes less time than the upload. */
const SLOW = 500_000;

/** Opens the site with a file picked, which will be uploaded to this folder. */
async function openSite(folder: string): Promise<{ page: Page; url: string }> {
  const { url } = await holdall.uploads.create({ folder, name: NAME, size: SIZE });
  const { page } = await visit(`http://127.0.0.1:${site.port}`, { expectedStatuses: [409, 423] });
  await page.goto("/");
  await pick(page, url);
  return { page, url };
}

const pick = (page: Page, url: string): Promise<void> =>
  page.evaluate((given) => window.uppyPage.pick(given), url);

const start = (page: Page) => page.evaluate(() => window.uppyPage.start());

const untilSent = (page: Page, bytes: number) =>
  page.waitForFunction((wanted) => window.uppyPage.sent() >= wanted, bytes);

async function expectStored(folder: string): Promise<void> {
  const { id } = await holdall.files.getByKey(`${folder}/${NAME}`);
  const bytes = await (await holdall.files.download(id)).response.bytes();
  expect(bytes).toEqual(Uint8Array.from({ length: SIZE }, (_, at) => at % 251));
}

const done = { successful: 1, failed: [] };

describe("Uppy in a page of another origin", () => {
  test("uploads", async () => {
    const folder = unique("uppy");
    const { page } = await openSite(folder);
    expect(await start(page)).toEqual(done);
    await expectStored(folder);
  });

  test("pauses and resumes", async () => {
    const folder = unique("uppy");
    const { page } = await openSite(folder);
    await network(page, { up: SLOW });
    const upload = start(page);
    await untilSent(page, 1_000_000);
    await page.evaluate(() => window.uppyPage.pauseAll());
    await network(page, {});
    await page.evaluate(() => window.uppyPage.resumeAll());
    expect(await upload).toEqual(done);
    await expectStored(folder);
  });

  test("resumes after a reload, when the file is picked again", async () => {
    const folder = unique("uppy");
    const { page, url } = await openSite(folder);
    await network(page, { up: SLOW });
    void start(page).catch(() => {});
    await untilSent(page, 1_500_000);
    await page.reload();
    await network(page, {});
    const offsets: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
    });
    await pick(page, url);
    expect(await start(page)).toEqual(done);
    expect(offsets[0]).toBeGreaterThanOrEqual(1_500_000);
    await expectStored(folder);
  });

  test("resumes after the server was killed and started again", async () => {
    const folder = unique("uppy");
    const { page } = await openSite(folder);
    await network(page, { up: SLOW });
    const upload = start(page);
    await untilSent(page, 1_000_000);
    await server.kill();
    await server.restart({ PORT: String(server.port) });
    await network(page, {});
    expect(await upload).toEqual(done);
    await expectStored(folder);
  });
});
