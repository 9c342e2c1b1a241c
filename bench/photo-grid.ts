import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { newContext, openBrowser, visit } from "../e2e/browser.ts";
import type { Figure } from "./figure.ts";
import type { ServerProcess } from "./server-process.ts";

/** The administrator of the server. */
export const PHOTO_ADMIN = { email: "bench@example.com", password: "a password for figures" };

/** The photos of the grid, all in the folder `photos`. */
export const PHOTOS = 40;
/** 20 Mbit/s, in bytes per second. */
const LINE_SPEED = 2_500_000;
const LINE_LATENCY_MS = 20;

const what = (of: string): string => `Grid of ${PHOTOS} photos on a phone, 20 Mbit/s: ${of}`;

/** The first look at the photos: the server makes their small sizes meanwhile. */
export async function firstGrid(server: ServerProcess): Promise<Figure> {
  const { context, shownAfterMs } = await openGrid(server);
  await context.close();
  const value = shownAfterMs / 1000;
  return { what: what("all in view shown, first look"), value, unit: "s" };
}

/** The grid when the small sizes of all photos exist. */
export async function grid(server: ServerProcess): Promise<Figure[]> {
  const { page, context, shownAfterMs, bytes } = await openGrid(server);
  const list = page.getByRole("grid");
  for (let at = 0; at < PHOTOS; at += 2) {
    await list.evaluate((grid, top) => {
      for (let each: Element | null = grid; each !== null; each = each.parentElement) {
        each.scrollTop = top;
      }
    }, at * 100);
    await untilShown(page);
  }
  const memory = await rendererMemory();
  await context.close();
  return [
    { what: what("all in view shown"), value: shownAfterMs / 1000, unit: "s", bar: 2 },
    { what: what("bytes of all images"), value: bytes() / 1e6, unit: "MB", bar: 1.5 },
    { what: what("largest renderer"), value: memory, unit: "MB", bar: 250 },
  ];
}

interface OpenGrid {
  readonly page: Page;
  readonly context: BrowserContext;
  /** From the navigation until every photo in view is shown. */
  readonly shownAfterMs: number;
  /** The bytes of all images so far. */
  bytes(): number;
}

async function openGrid({ url }: ServerProcess): Promise<OpenGrid> {
  const signIn = await visit(url, { expectedStatuses: [401] });
  await signIn.page.goto("/sign-in");
  await signIn.page.getByLabel("Email address").fill(PHOTO_ADMIN.email);
  await signIn.page.getByLabel("Password", { exact: true }).fill(PHOTO_ADMIN.password);
  await signIn.page.getByRole("button", { name: "Sign in" }).click();
  await signIn.page.getByRole("grid").waitFor();
  const context = await newContext(url, { device: "phone" });
  await context.addCookies(await signIn.context.cookies());
  await signIn.context.close();

  const page = await context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LINE_LATENCY_MS,
    downloadThroughput: LINE_SPEED,
    uploadThroughput: LINE_SPEED,
  });
  let bytes = 0;
  page.on("requestfinished", async (request) => {
    if (request.url().includes("size=")) bytes += (await request.sizes()).responseBodySize;
  });
  // The dashboard itself is loaded.
  await page.goto("/files");
  await page.getByRole("grid").waitFor();
  const from = performance.now();
  await page.goto("/files/photos?sort=name&dir=asc&view=grid");
  await untilShown(page);
  return { page, context, shownAfterMs: performance.now() - from, bytes: () => bytes };
}

/** Waits until every tile on the screen shows its image. */
async function untilShown(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll("[role=gridcell]")].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    const images = tiles.map((tile) => tile.querySelector("img:not(.opacity-0)"));
    return (
      tiles.length > 0 &&
      images.every((image) => image instanceof HTMLImageElement && image.complete)
    );
  });
}

/** In MB (10⁶ bytes). */
async function rendererMemory(): Promise<number> {
  const session = await (await openBrowser()).newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const kilobytes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]);
  return (Math.max(...kilobytes.map(Number)) * 1024) / 1e6;
}
