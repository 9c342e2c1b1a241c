import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, median, quantile } from "./figure.ts";
import { folderRemoval } from "./folder-removal.ts";
import { scans } from "./scans.ts";
import { scopedLists } from "./scoped-lists.ts";
import { seed } from "./seed.ts";
import { API_KEY, type ServerProcess, startServer } from "./server-process.ts";

const FOLDERS = 10_000;
const FILES_PER_FOLDER = 100;
const RUNS = 51;

const headers = { "API-Key": API_KEY };

/** Cost of each request with a million files in ten thousand folders. */
export async function* millionFiles(): AsyncGenerator<Figure> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    await (await startServer({ dataPath })).stop();
    const { hostedKey } = await seed(dataPath, FOLDERS, FILES_PER_FOLDER);
    const server = await startServer({ dataPath });
    try {
      yield* await pointReads(server);
      yield* await pages(server);
      yield* await scans(server, hostedKey);
      yield* await wholeList(server);
      yield* await topRename(server);
      yield* await cascade(server, hostedKey);
      yield* await scopedLists(server);
      yield* await folderRemoval(server, hostedKey);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataPath, { recursive: true });
  }
}

async function pointReads({ url }: ServerProcess): Promise<Figure[]> {
  const times = await timed(RUNS * 10, async (run) => {
    const folder = (run * 7919) % FOLDERS;
    const key = `top/${Math.floor(folder / 100)}/${folder}/file-${run % FILES_PER_FOLDER}.txt`;
    await json(`${url}/api/files?key=${key}`);
  });
  return [
    { what: "1,000,000 files: get by key, median", value: median(times), unit: "ms", bar: 1 },
  ];
}

async function pages({ url }: ServerProcess): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const orderBy of ["createdAt", "updatedAt", "name", "size", "type"]) {
    for (const direction of ["ASC", "DESC"]) {
      const query = `limit=100&orderBy=${orderBy}&orderDirection=${direction}`;
      const times = await timed(RUNS, async (run) => {
        await json(`${url}/api/files?${query}&offset=${run * 100}`);
      });
      const what = `1,000,000 files: page of 100 by ${orderBy} ${direction}, median`;
      figures.push({ what, value: median(times), unit: "ms", bar: 20 });
    }
  }
  const deep = await timed(11, async () => {
    await json(`${url}/api/files?limit=100&offset=900000`);
  });
  const what = "1,000,000 files: page of 100 at offset 900,000, median";
  return [...figures, { what, value: median(deep), unit: "ms" }];
}

async function wholeList(server: ServerProcess): Promise<Figure[]> {
  await json(`${server.url}/api/files?limit=20000`);
  server.resetPeak();
  const before = server.memory();
  const started = performance.now();
  const response = await fetch(`${server.url}/api/files`, { headers });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  const seconds = (performance.now() - started) / 1000;
  const growth = Math.max(0, server.peakMemory() - before);
  return [
    { what: `List of all files (${Math.round(bytes / 1e6)} MB)`, value: seconds, unit: "s" },
    { what: "List of all files, memory change", value: growth, unit: "MB", bar: 64 },
  ];
}

async function topRename({ url }: ServerProcess): Promise<Figure[]> {
  const { folder } = await json<{ folder: { id: string } }>(`${url}/api/folders?key=top`);
  const times = await timed(5, async (run) => {
    const name = run % 2 === 0 ? "renamed" : "top";
    await change(`${url}/api/folders`, { id: folder.id, name });
  });
  await change(`${url}/api/folders`, { id: folder.id, name: "top" });
  const what = "Rename of the top folder, median";
  return [{ what, value: median(times), unit: "ms", bar: 200 }];
}

/** Sets the visibility of all files while a hosted file is read repeatedly. */
async function cascade({ url }: ServerProcess, hostedKey: string): Promise<Figure[]> {
  const root = await json<{ folder: { id: string } }>(`${url}/api/folders?limit=0`);
  const reads: number[] = [];
  let cascading = true;
  const reader = (async () => {
    while (cascading) {
      const started = performance.now();
      const response = await fetch(`${url}/api/hosting/${hostedKey}`, { headers });
      if ((await response.text()) !== "hosted")
        throw new Error("A hosted read returned other bytes");
      reads.push(performance.now() - started);
    }
  })();
  const started = performance.now();
  await change(`${url}/api/folders`, { id: root.folder.id, visibility: "private" });
  const seconds = (performance.now() - started) / 1000;
  cascading = false;
  await reader;
  return [
    { what: "Cascade over 1,000,000 files", value: seconds, unit: "s", bar: 10 },
    { what: "Hosted reads meanwhile, p99", value: quantile(reads, 0.99), unit: "ms", bar: 50 },
  ];
}

async function timed(runs: number, workload: (run: number) => Promise<void>): Promise<number[]> {
  await workload(0);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await workload(run);
    times.push(performance.now() - started);
  }
  return times;
}

async function json<Data>(url: string): Promise<Data> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}

async function change(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "PUT",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
