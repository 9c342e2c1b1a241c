import { type Figure, median, quantile } from "./figure.ts";
import { API_KEY, type ServerProcess } from "./server-process.ts";

const headers = { "API-Key": API_KEY };

/** Cursor pages, full name searches and folder sizes while hosted files are read. */
export async function scans(server: ServerProcess, hostedKey: string): Promise<Figure[]> {
  const ask = (path: string) => json<{ nextCursor: string | null }>(`${server.url}${path}`);
  const hostedUrl = `${server.url}/api/hosting/${hostedKey}`;
  const noName = await beside(hostedUrl, () => ask("/api/search?q=no-such-name"));
  const letters = await beside(hostedUrl, () => ask("/api/search?q=ni%C3%A9mand"));
  const size = await beside(hostedUrl, () => ask("/api/folders/size"));
  const first = await timed(() => ask("/api/search?q=FILE"));
  const what = (of: string) => `1,000,000 files: ${of}`;
  return [
    ...(await pagesByCursor(ask)),
    { what: what("search, first page of many, median"), value: first, unit: "ms" },
    { what: what("search that finds nothing, median"), value: noName.each, unit: "ms", bar: 2000 },
    { what: "Hosted reads meanwhile, p99", value: noName.reads, unit: "ms", bar: 50 },
    { what: what("search for letters with accents"), value: letters.each, unit: "ms", bar: 2000 },
    { what: what("size of the root, median"), value: size.each, unit: "ms", bar: 2000 },
    { what: "Hosted reads meanwhile, p99", value: size.reads, unit: "ms", bar: 50 },
  ];
}

/** A page of 100 after 200,000 files, which `offset` would have to skip. */
async function pagesByCursor(
  ask: (path: string) => Promise<{ nextCursor: string | null }>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const orderBy of ["createdAt", "name", "type"]) {
    const page = `/api/files?orderBy=${orderBy}&cursor=`;
    let cursor = "";
    for (let passed = 0; passed < 10; passed += 1) {
      cursor = (await ask(`${page}${cursor}&limit=20000`)).nextCursor ?? "";
    }
    const value = await timed(async () => {
      // A cursor is valid for another limit.
      cursor = (await ask(`${page}${cursor}&limit=100`)).nextCursor ?? "";
    });
    const what = `1,000,000 files: page of 100 by cursor, by ${orderBy}, median`;
    figures.push({ what, value, unit: "ms", bar: 20 });
  }
  return figures;
}

/** The median of the workload in milliseconds, and p99 of hosted reads made while it runs. */
async function beside(
  url: string,
  workload: () => Promise<unknown>,
): Promise<{ each: number; reads: number }> {
  const reads: number[] = [];
  let working = true;
  const reader = (async () => {
    while (working) {
      const started = performance.now();
      const response = await fetch(url, { headers });
      if ((await response.text()) !== "hosted")
        throw new Error("A hosted read returned other bytes");
      reads.push(performance.now() - started);
    }
  })();
  const each = await timed(workload, 5);
  working = false;
  await reader;
  return { each, reads: quantile(reads, 0.99) };
}

async function timed(workload: () => Promise<unknown>, runs = 21): Promise<number> {
  await workload();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await workload();
    times.push(performance.now() - started);
  }
  return median(times);
}

async function json<Data>(url: string): Promise<Data> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}
