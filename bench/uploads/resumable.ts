import { rmSync } from "node:fs";
import { join } from "node:path";
import { forEachConcurrently } from "../../server/rules/for-each-concurrently.ts";
import { type Figure, median } from "../figure.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { sendForm, writeForm } from "./large-upload.ts";

const GB = 1024 ** 3;
const MB = 1024 ** 2;
const CHUNK_BYTES = 8 * MB;
const OPEN_UPLOADS = 200;
/** Long enough for the server to store what it has received. */
const PAUSE_MS = 2000;
/** How much the memory may grow with them. */
const MAX_GROWTH_MB = 20;

/** Uploads a file of 1 GB in chunks of 8 MB, and the same bytes as a form, in turns. */
export async function resumableUpload(
  server: ServerProcess,
  { runs }: RunLength,
): Promise<Figure[]> {
  const form = join(server.dataPath, "form");
  const forms: Cost[] = [];
  const chunked: Cost[] = [];
  for (let run = 0; run < runs; run += 1) {
    const offset = await writeForm(form, `form-${run}.bin`);
    const content = Bun.file(form).slice(offset, offset + GB);
    forms.push(await costOf(server, () => sendForm(server.url, form)));
    chunked.push(await costOf(server, () => sendChunks(server.url, `chunks-${run}.bin`, content)));
  }
  rmSync(form);
  const [one, many] = [medianOf(forms), medianOf(chunked)];
  const chunks = GB / CHUNK_BYTES;
  return [
    {
      what: "1 GB in chunks of 8 MB, speed compared with a form",
      value: one.seconds / many.seconds,
      unit: "×",
      bar: 0.9,
      atLeast: true,
      note: `${(1 / many.seconds).toFixed(2)} GB/s | form ${(1 / one.seconds).toFixed(2)} GB/s`,
    },
    {
      what: "1 GB in chunks of 8 MB, CPU per chunk",
      value: many.cpu / chunks,
      unit: "ms",
      note: `the same bytes in a form ${(one.cpu / chunks).toFixed(2)} ms`,
    },
  ];
}

/** Memory with many open uploads, each with a request in progress, compared with a tenth of them. */
export async function openUploads(): Promise<Figure[]> {
  const server = await startServer();
  const few = await peakOf(server, "few", OPEN_UPLOADS / 10);
  const many = await peakOf(server, "many", OPEN_UPLOADS);
  await server.stop();
  return [
    {
      what: `Memory with ${OPEN_UPLOADS} open uploads, more than with ${OPEN_UPLOADS / 10}`,
      value: many - few,
      unit: "MB",
      bar: MAX_GROWTH_MB,
      note: `${Math.round(many)} MB | ${Math.round(few)} MB`,
    },
  ];
}

/**
 * The highest memory while this many uploads each receive 1 MB, pause, receive
 * another one in the same request, and stay open.
 */
async function peakOf(server: ServerProcess, name: string, count: number): Promise<number> {
  server.resetPeak();
  const gate = Promise.withResolvers<void>();
  const half = new Uint8Array(MB);
  let waiting = 0;
  const paths: string[] = [];
  await forEachConcurrently(Array(count).keys(), 8, async (at) => {
    paths.push(await create(server.url, `${name}-${at}.bin`, 4 * MB));
  });
  await Promise.all(
    paths.map((path) => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(half);
          waiting += 1;
          if (waiting === count) gate.resolve();
          await gate.promise;
          await Bun.sleep(PAUSE_MS);
          controller.enqueue(half);
          controller.close();
        },
      });
      return append(server.url, path, 0, body);
    }),
  );
  return server.peakMemory();
}

interface Cost {
  readonly seconds: number;
  /** In milliseconds. */
  readonly cpu: number;
}

async function costOf(server: ServerProcess, work: () => Promise<void>): Promise<Cost> {
  const [cpu, from] = [server.cpu(), performance.now()];
  await work();
  return { seconds: (performance.now() - from) / 1000, cpu: server.cpu() - cpu };
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  seconds: median(costs.map(({ seconds }) => seconds)),
  cpu: median(costs.map(({ cpu }) => cpu)),
});

async function sendChunks(url: string, name: string, content: Blob): Promise<void> {
  const path = await create(url, name, content.size);
  for (let offset = 0; offset < content.size; offset += CHUNK_BYTES) {
    await append(url, path, offset, content.slice(offset, offset + CHUNK_BYTES));
  }
}

async function create(url: string, name: string, size: number): Promise<string> {
  const response = await fetch(`${url}/api/uploads`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ name, size }),
  });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return location;
}

async function append(
  url: string,
  path: string,
  offset: number,
  body: Blob | ReadableStream<Uint8Array>,
): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: "PATCH",
    headers: { "Upload-Offset": `${offset}`, "Content-Type": "application/offset+octet-stream" },
    body,
  });
  if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`);
}
