import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, quantile } from "../figure.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { connectIdleClients } from "./idle-clients.ts";
import { seedZips } from "./zip-seed.ts";

const SMALL = { folder: "small", files: 100_000, size: 1000 };
const LARGE = { folder: "large", files: 2000, size: 1024 * 1024 };
const IDLE_CLIENTS = 40;

/** How long a request may wait for the zips of others. */
const MAX_WAIT_MS = 50;
/** The bound of all zips together (64 MiB), and as much that is not collected yet. */
const MAX_GROWTH_MB = 2 * 67;

/** How long other requests wait while zips are downloaded, and the memory of zips that nobody reads. */
export async function* zips(): AsyncGenerator<Figure> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    await (await startServer({ dataPath })).stop();
    seedZips(dataPath, [SMALL, LARGE]);
    const server = await startServer({ dataPath });
    try {
      const small = `${server.url}/api/folders/download?key=${SMALL.folder}`;
      const large = `${server.url}/api/folders/download?key=${LARGE.folder}`;
      yield* await waits(server, "nothing", () => Bun.sleep(3000));
      yield* await waits(server, "a zip of 100,000 small files", () => download([small]));
      const four = [small, small, small, small];
      yield* await waits(server, "four zips of 100,000 small files", () => download(four));
      yield* await waits(server, "a 2 GB zip of 1 MB files", () => download([large]));
      yield* await waits(server, "the same files, one by one", () => downloadFiles(server));
      yield* await idleClients(server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataPath, { recursive: true });
  }
}

/** Requests small responses, one after another, while the workload runs. */
async function waits(
  { url }: ServerProcess,
  what: string,
  workload: () => Promise<unknown>,
): Promise<Figure[]> {
  const times: number[] = [];
  let working = true;
  const probe = (async () => {
    while (working) {
      const started = performance.now();
      const response = await fetch(`${url}/api/hosting/${SMALL.folder}/0/file-0.bin`);
      if ((await response.bytes()).length !== SMALL.size) throw new Error("A read was incomplete");
      times.push(performance.now() - started);
      await Bun.sleep(2);
    }
  })();
  const started = performance.now();
  await workload();
  const seconds = (performance.now() - started) / 1000;
  working = false;
  await probe;
  const bar = MAX_WAIT_MS;
  return [
    { what: `During ${what}: duration`, value: seconds, unit: "s" },
    { what: `During ${what}: other requests, p99`, value: quantile(times, 0.99), unit: "ms" },
    { what: `During ${what}: longest wait`, value: Math.max(...times), unit: "ms", bar },
  ];
}

/** In processes of their own, so that receiving does not delay the measured requests. */
async function download(urls: readonly string[]): Promise<void> {
  await Promise.all(urls.map((url) => curl(["-o", "/dev/null", url])));
}

async function downloadFiles({ url, dataPath }: ServerProcess): Promise<void> {
  const path = join(dataPath, "urls");
  const lines = Array.from({ length: LARGE.files }, (_, file) => {
    const key = `${LARGE.folder}/${Math.floor(file / 1000)}/file-${file}.bin`;
    return `url = ${url}/api/hosting/${key}\noutput = /dev/null`;
  });
  writeFileSync(path, lines.join("\n"));
  await curl(["-K", path]);
}

async function curl(args: readonly string[]): Promise<void> {
  const command = ["curl", "-sf", "-H", `API-Key: ${API_KEY}`, ...args];
  const exitCode = await Bun.spawn(command, { stdin: "ignore", stdout: "ignore" }).exited;
  if (exitCode !== 0) throw new Error(`A download failed: curl exited with ${exitCode}`);
}

async function idleClients(server: ServerProcess): Promise<Figure[]> {
  const before = server.memory();
  server.resetPeak();
  const path = `/api/folders/download?key=${SMALL.folder}`;
  const clients = await connectIdleClients(server.url, path, IDLE_CLIENTS);
  await untilStable(server);
  const growth = Math.max(0, server.peakMemory() - before);
  const statuses = await clients.statuses();
  clients.close();
  const started = statuses.filter((status) => status === 200).length;
  const note = `${started} zips, ${statuses.filter((status) => status === 503).length} × 503`;
  return [
    { what: "Memory with 40 clients that read nothing", value: before + growth, unit: "MB" },
    {
      what: "Memory with 40 clients that read nothing, growth",
      value: growth,
      unit: "MB",
      bar: MAX_GROWTH_MB,
      note,
    },
  ];
}

/** Until the server has used no processor time for a second. */
async function untilStable(server: ServerProcess): Promise<void> {
  for (let last = -1; last !== server.cpu(); await Bun.sleep(1000)) last = server.cpu();
}
