import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Figure, median } from "../figure.ts";
import type { PageCache } from "../page-cache.ts";
import type { RunLength } from "../run-length.ts";
import type { ServerProcess } from "../server-process.ts";
import { appendTo, createUpload } from "./chunks.ts";
import { removeFile, sendForm, writeForm } from "./large-upload.ts";

const GB = 1024 ** 3;
const MB = 1024 ** 2;
const CHUNK_BYTES = 8 * MB;
const FORM_NAME = "in-a-form.bin";
const CHUNKS_NAME = "in-chunks.bin";

/** Uploads a file of 1 GB in chunks of 8 MB, and the same bytes as a form, in turns. */
export async function resumableUpload(
  server: ServerProcess,
  { runs }: RunLength,
  pageCache: PageCache,
): Promise<Figure[]> {
  const form = join(server.dataPath, "form");
  const forms: Cost[] = [];
  const chunked: Cost[] = [];
  const offset = await writeForm(form, FORM_NAME);
  const content = Bun.file(form).slice(offset, offset + GB);
  const sendAsForm = async (): Promise<void> => {
    forms.push(await costOf(server, () => sendForm(server.url, form)));
    await removeFile(server, FORM_NAME);
  };
  const sendInChunks = async (): Promise<void> => {
    chunked.push(await costOf(server, () => sendChunks(server.url, CHUNKS_NAME, content)));
    await removeFile(server, CHUNKS_NAME);
  };
  for (let run = 0; run < runs; run += 1) {
    // The second one meets a disk that still writes what the first one sent.
    const turns = run % 2 === 0 ? [sendAsForm, sendInChunks] : [sendInChunks, sendAsForm];
    for (const turn of turns) {
      pageCache.fill();
      await turn();
    }
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
  const path = await createUpload(url, name, content.size);
  for (let offset = 0; offset < content.size; offset += CHUNK_BYTES) {
    await appendTo(url, path, offset, content.slice(offset, offset + CHUNK_BYTES));
  }
}
