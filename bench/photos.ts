import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { newContext, openBrowser, visit } from "../e2e/browser.ts";
import { encodeJpeg, pngOf } from "../test/image-encoders.ts";
import { type Figure, median, quantile } from "./figure.ts";
import { API_KEY, type ServerProcess, startServer } from "./server-process.ts";

const EMAIL = "bench@example.com";
const PASSWORD = "a password for figures";

const PHOTOS = 40;
/** Of a phone's camera: 6 megapixels. */
const [WIDTH, HEIGHT] = [3000, 2000];
/** Encoding takes seconds, so some photos have the same content. They are made smaller one by one all the same. */
const DIFFERENT_PHOTOS = 4;
/** 20 Mbit/s, in bytes per second. */
const LINE_SPEED = 2_500_000;
const LINE_LATENCY_MS = 20;
const READS_MS = 10_000;

/** Photos made smaller: processor time, what others wait beside hostile images, and the grid on a phone. */
export async function* photos(): AsyncGenerator<Figure> {
  const server = await startServer({ env: { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD } });
  try {
    const names = await uploadPhotos(server);
    yield await renderAll(server, names);
    yield* await readDuringBombs(server);
    yield* await gridOnPhone(server);
  } finally {
    await server.stop();
    await (await openBrowser()).close();
  }
}

async function uploadPhotos(server: ServerProcess): Promise<string[]> {
  const contents = await Promise.all(
    Array.from({ length: DIFFERENT_PHOTOS }, (_, at) =>
      encodeJpeg(WIDTH, HEIGHT, (x, y) => {
        // Noise as of a sensor, and details that remain when it is smaller: as many bytes as a real photo.
        const noise = ((x * 7919 + y * 104_729 + at) % 97) - 48;
        const detail = (((x >> 4) * 7919 + (y >> 4) * 104_729 + at) % 61) * 2;
        return [68 + noise + detail, (x / 12 + at * 40) % 200, (y / 10 + noise + detail) % 256];
      }),
    ),
  );
  const names = Array.from({ length: PHOTOS }, (_, at) => `photo-${10 + at}.jpg`);
  for (const [at, name] of names.entries()) {
    await upload(server, "photos", name, contents[at % contents.length] ?? new Uint8Array());
  }
  return names;
}

/** As the dashboard does after it has uploaded them. */
async function renderAll(server: ServerProcess, names: readonly string[]): Promise<Figure> {
  const before = server.cpu();
  for (const name of names) {
    const response = await fetch(`${server.url}/api/hosting/photos/${name}?size=small`);
    await response.bytes();
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
  }
  const perPhoto = (server.cpu() - before) / names.length;
  return { what: "A JPEG of 6 MP made small: CPU", value: perPhoto, unit: "ms", bar: 150 };
}

/** How long a small public file takes without and with clients that ask for small sizes of hostile images. */
async function readDuringBombs(server: ServerProcess): Promise<Figure[]> {
  const encoder = new TextEncoder();
  await upload(server, "page", "index.txt", encoder.encode("hosted"));
  const bombs = {
    "deflate.png": pngOf(7000, 7000, Buffer.alloc(1_000_000), { colorType: 2 }),
    "rows.png": pngOf(100, 100, Buffer.alloc(200_000_000), { colorType: 2 }),
    // Within the limits, and as expensive as they allow.
    "heavy.png": pngOf(7000, 7000, Buffer.alloc(7000 * (7000 * 3 + 1)), { colorType: 2 }),
    "cut.jpg": (await encodeJpeg(2000, 2000, (x, y) => [x % 256, y % 256, 0])).subarray(0, 9000),
  };
  for (const [name, content] of Object.entries(bombs)) await upload(server, "bombs", name, content);

  const alone = await readTimes(server);
  let working = true;
  let asked = 0;
  const attackers = Object.keys(bombs).map(async (name) => {
    // The result is remembered for the stored content, so each request asks for a new file.
    while (working) {
      asked += 1;
      const copy = `${asked}-${name}`;
      await upload(server, "bombs", copy, bombs[name as keyof typeof bombs]);
      const response = await fetch(`${server.url}/api/hosting/bombs/${copy}?size=small`);
      await response.bytes();
      if (response.status === 500) throw new Error(`${name}: ${response.status}`);
    }
  });
  const attacked = await readTimes(server);
  working = false;
  await Promise.all(attackers);
  const note = `${asked} hostile images`;
  return [
    { what: "Hosted GET, p99", value: quantile(alone, 0.99), unit: "ms" },
    { what: "Hosted GET beside bombs, p50", value: median(attacked), unit: "ms", note },
    { what: "Hosted GET beside bombs, p99", value: quantile(attacked, 0.99), unit: "ms", bar: 20 },
    { what: "Hosted GET beside bombs, longest", value: Math.max(...attacked), unit: "ms", bar: 50 },
  ];
}

async function readTimes({ url }: ServerProcess): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + READS_MS;
  while (performance.now() < end) {
    const from = performance.now();
    const text = await (await fetch(`${url}/api/hosting/page/index.txt`)).text();
    if (text !== "hosted") throw new Error("A read was incomplete");
    times.push(performance.now() - from);
    await Bun.sleep(2);
  }
  return times;
}

/** The grid of all photos on a phone with a line of 20 Mbit/s, when their small sizes exist. */
async function gridOnPhone({ url }: ServerProcess): Promise<Figure[]> {
  const signIn = await visit(url, { expectedStatuses: [401] });
  await signIn.page.goto("/sign-in");
  await signIn.page.getByLabel("Email address").fill(EMAIL);
  await signIn.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await signIn.page.getByRole("button", { name: "Sign in" }).click();
  await signIn.page.getByRole("grid").waitFor();
  const context = await newContext(url, "phone");
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
  const shownAfter = performance.now() - from;
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
  const what = (of: string): string => `Grid of ${PHOTOS} photos on a phone, 20 Mbit/s: ${of}`;
  return [
    { what: what("all in view shown"), value: shownAfter / 1000, unit: "s", bar: 2 },
    { what: what("bytes of all images"), value: bytes / 1e6, unit: "MB", bar: 1.5 },
    { what: what("largest renderer"), value: memory, unit: "MB", bar: 250 },
  ];
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

async function upload(
  { url }: ServerProcess,
  folder: string,
  name: string,
  content: Uint8Array,
): Promise<void> {
  const form = new FormData();
  form.append("folder", folder);
  form.append("visibility", "public");
  form.append("files", new Blob([new Uint8Array(content)]), name);
  const headers = { "API-Key": API_KEY };
  const response = await fetch(`${url}/api/files`, { method: "POST", headers, body: form });
  if (!response.ok) throw new Error(`The upload failed: ${await response.text()}`);
}
