import { join } from "node:path";
import { type Figure, median } from "../figure.ts";
import { type Line, load } from "../load.ts";
import type { Pace } from "../pace.ts";
import { API_KEY, startServer } from "../server-process.ts";
import type { HostedFiles } from "./hosted-files.ts";

const CONNECTIONS = 64;
const RUNS = ["1", "2"] as const;

/** What two processes serve beside one, while the client takes its share of the same cores. */
export async function* processes(
  workPath: string,
  { small, kb64 }: HostedFiles,
  pace: Pace,
): AsyncGenerator<Figure> {
  const list = { path: "/api/files?limit=100", headers: [`API-Key: ${API_KEY}`] };
  const plain = (paths: readonly string[]): Line[] => paths.map((path) => ({ path }));
  const loads: readonly (readonly [string, readonly Line[]])[] = [
    ["public GET 4 KB", plain(small.slice(0, 1000))],
    ["public GET 64 KB", plain(kb64)],
    ["list of 100 files", [list]],
  ];
  for (const [what, lines] of loads) {
    const [one, two] = await rates(workPath, lines, pace);
    yield {
      what: `${what}: WORKERS=2 beside one process`,
      value: two / one,
      unit: "×",
      bar: 1.6,
      least: true,
      note: `${Math.round(two)}/s | ${Math.round(one)}/s`,
    };
  }
}

/** Requests a second with one process and with two, in turns; the medians. */
async function rates(
  workPath: string,
  lines: readonly Line[],
  { runs, seconds }: Pace,
): Promise<[number, number]> {
  const rates = { "1": [] as number[], "2": [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    for (const WORKERS of RUNS) {
      const server = await startServer({ dataPath: join(workPath, "data"), env: { WORKERS } });
      try {
        await load(server.url, lines, { connections: CONNECTIONS, seconds: 1 });
        const done = await load(server.url, lines, { connections: CONNECTIONS, seconds });
        rates[WORKERS].push(done.requests / done.seconds);
      } finally {
        await server.stop();
      }
    }
  }
  return [median(rates["1"]), median(rates["2"])];
}
