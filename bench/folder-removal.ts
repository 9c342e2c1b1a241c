import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Figure, median, quantile } from "./figure.ts";
import { API_KEY, type ServerProcess } from "./server-process.ts";

const headers = { "API-Key": API_KEY };

/** Deletes a folder with a million files, and uses the service until all records are gone. */
export async function folderRemoval(server: ServerProcess, hostedKey: string): Promise<Figure[]> {
  const { url } = server;
  const top = await fetch(`${url}/api/folders?key=top&limit=0`, { headers });
  const { id } = ((await top.json()) as { data: { folder: { id: string } } }).data.folder;
  let emptying = true;
  const isEmptying = (): boolean => emptying;
  const uses = [
    timesOf(isEmptying, () => fetch(`${url}/api/hosting/${hostedKey}`, { headers })),
    timesOf(isEmptying, () => createFolder(url)),
    timesOf(isEmptying, () => fetch(`${url}/api/files?limit=100&orderBy=size`, { headers })),
  ];
  await Bun.sleep(200);
  const started = performance.now();
  await succeeds(
    await fetch(`${url}/api/folders`, {
      method: "DELETE",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ id }),
    }),
  );
  const answered = performance.now() - started;
  while (countFiles(server) > 1) await Bun.sleep(250);
  const seconds = (performance.now() - started) / 1000;
  emptying = false;
  const [reads = [], changes = [], lists = []] = await Promise.all(uses);
  const p99 = (times: readonly number[]): number => quantile(times, 0.99);
  return [
    { what: "Deletion of a folder with 1,000,000 files", value: answered, unit: "ms", bar: 100 },
    { what: "Until its records are gone", value: seconds, unit: "s" },
    { what: "Hosted reads meanwhile, p99", value: p99(reads), unit: "ms", bar: 50 },
    { what: "Hosted reads meanwhile, longest", value: Math.max(...reads), unit: "ms" },
    { what: "New folders meanwhile, p99", value: p99(changes), unit: "ms", bar: 100 },
    { what: "New folders meanwhile, longest", value: Math.max(...changes), unit: "ms" },
    { what: "Lists meanwhile, median", value: median(lists), unit: "ms", bar: 100 },
    { what: "Lists meanwhile, longest", value: Math.max(...lists), unit: "ms" },
  ];
}

let made = 0;

function createFolder(url: string): Promise<Response> {
  made += 1;
  return fetch(`${url}/api/folders`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ folder: `made-${made}` }),
  });
}

/** Milliseconds of each request, one at a time. */
async function timesOf(goesOn: () => boolean, ask: () => Promise<Response>): Promise<number[]> {
  const times: number[] = [];
  while (goesOn()) {
    const started = performance.now();
    await succeeds(await ask());
    times.push(performance.now() - started);
    await Bun.sleep(5);
  }
  return times;
}

async function succeeds(response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
}

function countFiles({ dataPath }: ServerProcess): number {
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readonly: true });
  try {
    return (
      catalog.query<{ files: number }, []>("select count(*) as files from files").get()?.files ?? 0
    );
  } finally {
    catalog.close();
  }
}
