import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import type { Figure } from "../figure.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { appendTo, createUpload } from "./chunks.ts";
import { FORM_TYPE, formAround } from "./form.ts";

const COUNT = 200;
const MB = 1024 ** 2;
const CONNECTIONS = 8;
const CHUNKS = 4;
/** How much the memory may grow with 200 more open uploads. */
const MAX_GROWTH_MB = 20;
/** The peak with requests in progress, compared with forms of the same bytes. */
const MAX_RATIO = 1.2;
/** Long enough for the server to store what it has received. */
const PAUSE_MS = 2000;

/** Memory with many open uploads that few connections fill, and with as many requests in progress. */
export async function openUploads(): Promise<Figure[]> {
  const [first, second] = await withServer(async (server) => {
    await fill(server, "warm");
    const before = server.memory();
    await fill(server, "more");
    return [before, server.memory()] as const;
  });
  const forms = await withServer((server) => peakOf(server, sendForm));
  const uploads = await withServer((server) => peakOf(server, sendUpload));
  return [
    {
      what: `Memory with ${2 * COUNT} open uploads, more than with ${COUNT}`,
      value: second - first,
      unit: "MB",
      bar: MAX_GROWTH_MB,
      note: `${Math.round(second)} MB | ${Math.round(first)} MB`,
    },
    {
      what: `Peak memory with ${COUNT} requests of uploads, compared with forms`,
      value: uploads / forms,
      unit: "×",
      bar: MAX_RATIO,
      note: `${Math.round(uploads)} MB | forms ${Math.round(forms)} MB`,
    },
  ];
}

async function withServer<T>(work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startServer();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Opens uploads that stay open, and sends some chunks of each. */
async function fill({ url }: ServerProcess, name: string): Promise<void> {
  const bytes = new Blob([new Uint8Array(MB)]);
  await forEachConcurrently(Array(COUNT).keys(), CONNECTIONS, async (number) => {
    const path = await createUpload(url, `${name}-${number}.bin`, 2 * CHUNKS * MB);
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) await appendTo(url, path, chunk * MB, bytes);
  });
}

type Send = (url: string, name: string, halves: Halves) => Promise<void>;

/** The peak while all requests send 1 MB, pause, and send another one. */
async function peakOf(server: ServerProcess, send: Send): Promise<number> {
  await send(server.url, "warm.bin", createHalves(1));
  server.resetPeak();
  const halves = createHalves(COUNT);
  await Promise.all(
    Array.from({ length: COUNT }, (_, number) => send(server.url, `${number}.bin`, halves)),
  );
  return server.peakMemory();
}

/** Writes both halves of a body; the second ones once all `count` requests have sent the first. */
type Halves = (controller: ReadableStreamDefaultController<Uint8Array>) => Promise<void>;

function createHalves(count: number): Halves {
  const { promise: allSent, resolve } = Promise.withResolvers<void>();
  const half = new Uint8Array(MB);
  let sent = 0;
  return async (controller) => {
    controller.enqueue(half);
    sent += 1;
    if (sent === count) resolve();
    await allSent;
    await Bun.sleep(PAUSE_MS);
    controller.enqueue(half);
  };
}

async function sendUpload(url: string, name: string, halves: Halves): Promise<void> {
  const path = await createUpload(url, name, 4 * MB);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      await halves(controller);
      controller.close();
    },
  });
  await appendTo(url, path, 0, body);
}

async function sendForm(url: string, name: string, halves: Halves): Promise<void> {
  const { head, tail } = formAround(name);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(head));
      await halves(controller);
      controller.enqueue(Buffer.from(tail));
      controller.close();
    },
  });
  const response = await fetch(`${url}/api/files`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": FORM_TYPE },
    body,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
