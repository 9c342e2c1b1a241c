import { openBrowser } from "../e2e/browser.ts";
import { encodeJpeg, pngOf } from "../test/image-encoders.ts";
import { type Figure, median, quantile } from "./figure.ts";
import { firstGrid, grid, PHOTO_ADMIN, PHOTOS } from "./photo-grid.ts";
import { API_KEY, type ServerProcess, startServer } from "./server-process.ts";

/** The size of a photo from a phone's camera: 6 megapixels. */
const [WIDTH, HEIGHT] = [3000, 2000];
/** Encoding takes seconds, so some photos have the same content. They are made smaller one by one all the same. */
const DIFFERENT_PHOTOS = 4;
const NAMES = Array.from({ length: PHOTOS }, (_, at) => `photo-${10 + at}.jpg`);
const READS_MS = 10_000;

/** Photos made smaller: processor time, what others wait beside hostile images, and the grid on a phone. */
export async function* photos(): AsyncGenerator<Figure> {
  try {
    const contents = await encodePhotos();
    yield* withPhotos(contents, async function* (server) {
      yield await firstGrid(server);
    });
    yield* withPhotos(contents, async function* (server) {
      yield await renderAll(server);
      yield* await readDuringBombs(server);
      yield* await grid(server);
    });
  } finally {
    await (await openBrowser()).close();
  }
}

const encodePhotos = (): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: DIFFERENT_PHOTOS }, (_, at) =>
      encodeJpeg(WIDTH, HEIGHT, (x, y) => {
        // Noise as of a sensor, and details that remain when it is smaller: as many bytes as a real photo.
        const noise = ((x * 7919 + y * 104_729 + at) % 97) - 48;
        const detail = (((x >> 4) * 7919 + (y >> 4) * 104_729 + at) % 61) * 2;
        return [68 + noise + detail, (x / 12 + at * 40) % 200, (y / 10 + noise + detail) % 256];
      }),
    ),
  );

/** A server with all photos, none of which it has made smaller yet. */
async function* withPhotos(
  contents: readonly Uint8Array[],
  measure: (server: ServerProcess) => AsyncIterable<Figure>,
): AsyncGenerator<Figure> {
  const { email, password } = PHOTO_ADMIN;
  const server = await startServer({ env: { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } });
  try {
    for (const [at, name] of NAMES.entries()) {
      await upload(server, "photos", name, contents[at % contents.length] ?? new Uint8Array());
    }
    yield* measure(server);
  } finally {
    await server.stop();
  }
}

/** As the dashboard does after it has uploaded them. */
async function renderAll(server: ServerProcess): Promise<Figure> {
  const before = server.cpu();
  for (const name of NAMES) {
    const response = await fetch(`${server.url}/api/hosting/photos/${name}?size=small`);
    await response.bytes();
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
  }
  const perPhoto = (server.cpu() - before) / NAMES.length;
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
  const [before, beside] = [quantile(alone, 0.99), quantile(attacked, 0.99)];
  const ratio = `${beside.toFixed(2)} / ${before.toFixed(2)} ms`;
  return [
    { what: "Hosted GET, p99", value: before, unit: "ms" },
    { what: "Hosted GET beside bombs, p50", value: median(attacked), unit: "ms", note },
    { what: "Hosted GET beside bombs, p99", value: beside, unit: "ms", bar: 20 },
    {
      what: "Hosted GET, p99 beside bombs compared with p99 without",
      unit: "times",
      value: beside / before,
      note: ratio,
    },
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
