import { join } from "node:path";
import { type Figure, median } from "../figure.ts";
import { load, type RequestLine } from "../load.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, startServer } from "../server-process.ts";
import type { HostedFiles } from "./hosted-files.ts";

const CONNECTIONS = 64;
const RUNS = ["1", "2"] as const;

/** Throughput of two processes compared with one; the client shares the same cores. */
export async function* processes(
  workPath: string,
  { small, kb64 }: HostedFiles,
  runLength: RunLength,
): AsyncGenerator<Figure> {
  const list = { path: "/api/files?limit=100", headers: [`API-Key: ${API_KEY}`] };
  const plain = (paths: readonly string[]): RequestLine[] => paths.map((path) => ({ path }));
  const loads: readonly (readonly [string, readonly RequestLine[]])[] = [
    ["public GET 4 KB", plain(small.slice(0, 1000))],
    ["public GET 64 KB", plain(kb64.slice(0, 100))],
    ["list of 100 files", [list]],
  ];
  for (const [what, lines] of loads) {
    const [one, two] = await serve(workPath, lines, runLength);
    yield {
      what: `${what}: WORKERS=2 compared with one process`,
      value: two.rate / one.rate,
      unit: "×",
      bar: 1.6,
      atLeast: true,
      note: `${Math.round(two.rate)}/s | ${Math.round(one.rate)}/s, CPU ${two.cpu.toFixed(1)} | ${one.cpu.toFixed(1)} µs`,
    };
  }
}

interface Served {
  /** Requests per second. */
  readonly rate: number;
  /** Processor time of all processes, in microseconds per request. */
  readonly cpu: number;
}

/** Measures one process and two in turns; returns the medians. */
async function serve(
  workPath: string,
  lines: readonly RequestLine[],
  { runs, seconds }: RunLength,
): Promise<[Served, Served]> {
  const served = { "1": [] as Served[], "2": [] as Served[] };
  for (let run = 0; run < runs; run += 1) {
    for (const WORKERS of RUNS) {
      const server = await startServer({ dataPath: join(workPath, "data"), env: { WORKERS } });
      try {
        await load(server.url, lines, { connections: CONNECTIONS, seconds: 1 });
        const before = server.cpu();
        const { requests, seconds: took } = await load(server.url, lines, {
          connections: CONNECTIONS,
          seconds,
        });
        const cpu = (1000 * (server.cpu() - before)) / requests;
        served[WORKERS].push({ rate: requests / took, cpu });
      } finally {
        await server.stop();
      }
    }
  }
  return [middle(served["1"]), middle(served["2"])];
}

const middle = (all: readonly Served[]): Served => ({
  rate: median(all.map(({ rate }) => rate)),
  cpu: median(all.map(({ cpu }) => cpu)),
});
