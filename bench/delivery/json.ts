import { type Figure, median } from "../figure.ts";
import { load, type RequestLine } from "../load.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess } from "../server-process.ts";
import type { HostedFiles } from "./hosted-files.ts";

const CONNECTIONS = 8;
const key = `API-Key: ${API_KEY}`;

/** Cost of JSON responses: a list of 100 files and a signed URL. */
export async function json(
  server: ServerProcess,
  files: HostedFiles,
  runLength: RunLength,
): Promise<Figure[]> {
  const list: RequestLine[] = [{ path: "/api/files?limit=100", headers: [key] }];
  const sign = files.private.map((path) => ({
    path: "/api/files/sign",
    headers: [key, "Content-Type: application/json"],
    body: JSON.stringify({ key: path.replace("/api/hosting/", "") }),
  }));
  return [
    {
      what: "List of 100 files: CPU",
      ...(await cost(server, list, runLength)),
      unit: "µs",
      bar: 1000,
    },
    { what: "Signed URL: CPU", ...(await cost(server, sign, runLength)), unit: "µs", bar: 60 },
  ];
}

/** Microseconds of processor time per request, median of the runs. */
export async function cost(
  server: ServerProcess,
  lines: readonly RequestLine[],
  { runs, seconds }: RunLength,
): Promise<{ value: number; note: string }> {
  const costs: number[] = [];
  const rates: number[] = [];
  await load(server.url, lines, { connections: CONNECTIONS, seconds: 1 });
  for (let run = 0; run < runs; run += 1) {
    const before = server.cpu();
    const done = await load(server.url, lines, { connections: CONNECTIONS, seconds });
    costs.push(((server.cpu() - before) * 1000) / done.requests);
    rates.push(done.requests / done.seconds);
  }
  const rate = Math.round(median(rates)).toLocaleString("en");
  return { value: median(costs), note: `${rate}/s` };
}
