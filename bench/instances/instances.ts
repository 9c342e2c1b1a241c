import { type Figure, median } from "../figure.ts";
import { type Load, load, type RequestLine } from "../load.ts";
import { installPeers } from "../peers/install-peers.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { FORM_TYPE, formAround } from "../uploads/form.ts";
import { type SharedStores, startSharedStores } from "./shared-stores.ts";

const MAX_SERVERS = 3;
/** Connections in total, whatever the number of servers. */
const CLIENTS = 48;
const KB = 1024;
const SMALL_FILES = 1000;
const LARGE_FILES = 16;
/** More than a second's uploads. */
const UPLOADS_PER_SECOND = 4000;

/** The bars for one server. */
interface Bars {
  /** Microseconds of processor time for each request. */
  readonly holdall?: number;
  readonly postgres?: number;
  readonly statements?: number;
}

/**
 * The same load on one, two and three servers over one PostgreSQL and one S3 store. Servers,
 * stores and clients share this machine, so only the processor time carries over to others.
 */
export async function* instances(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers();
  const stores = await startSharedStores();
  const servers: ServerProcess[] = [];
  try {
    // The first server creates the tables before the others start.
    for (let number = 0; number < MAX_SERVERS; number += 1) {
      servers.push(await startServer({ env: stores.env }));
    }
    const [first] = servers;
    if (first === undefined) throw new Error("There are no servers.");
    const small = await store(first, "small", SMALL_FILES, 4 * KB);
    const large = await store(first, "large", LARGE_FILES, KB * KB);
    const workloads: readonly Workload[] = [
      { what: "GET of 4 KB", lines: () => small, bars: { holdall: 45, postgres: 30 } },
      { what: "GET of 1 MB", lines: () => large, bars: {} },
      {
        what: "upload of 4 KB",
        lines: (run) => uploads(run, runLength.seconds),
        bars: { holdall: 800, statements: 5 },
      },
    ];
    for (const workload of workloads) {
      for (let count = 1; count <= MAX_SERVERS; count += 1) {
        yield* await measure(workload, servers.slice(0, count), stores, runLength);
      }
    }
    const redirecting = await startServer({ env: { ...stores.env, DELIVERY: "redirect" } });
    servers.push(redirecting);
    const redirects = { what: "redirect of a GET", lines: () => small, bars: { holdall: 60 } };
    yield* await measure(redirects, [redirecting], stores, runLength);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await stores.stop();
  }
}

interface Workload {
  readonly what: string;
  /** The requests of one server in one run; `run` is unique. */
  lines(run: string): readonly RequestLine[];
  readonly bars: Bars;
}

async function measure(
  { what, lines, bars }: Workload,
  servers: readonly ServerProcess[],
  stores: SharedStores,
  { runs, seconds }: RunLength,
): Promise<Figure[]> {
  const rates: number[] = [];
  const ours: number[] = [];
  const databases: number[] = [];
  const statements: number[] = [];
  const cpu = (): number => servers.reduce((sum, server) => sum + server.cpu(), 0);
  const connections = Math.floor(CLIENTS / servers.length);
  for (let run = 0; run < runs; run += 1) {
    const [our, database, calls] = [cpu(), stores.databaseCpu(), await stores.statements()];
    const loads = await Promise.all(
      servers.map((server, at) =>
        load(server.url, lines(`${servers.length}-${run}-${at}`), { connections, seconds }),
      ),
    );
    const requests = loads.reduce((sum, each) => sum + each.requests, 0);
    refuse(loads);
    rates.push(loads.reduce((sum, each) => sum + each.requests / each.seconds, 0));
    ours.push(((cpu() - our) * 1000) / requests);
    databases.push(((stores.databaseCpu() - database) * 1000) / requests);
    statements.push(((await stores.statements()) - calls) / requests);
  }
  const name = `${what}, ${servers.length} ${servers.length === 1 ? "server" : "servers"}`;
  const { holdall, postgres, statements: most } = servers.length === 1 ? bars : {};
  return [
    { what: name, value: median(rates), unit: "/s", note: TOGETHER },
    { what: `${name}: CPU of Holdall`, value: median(ours), unit: "µs", bar: holdall },
    { what: `${name}: CPU of PostgreSQL`, value: median(databases), unit: "µs", bar: postgres },
    { what: `${name}: statements`, value: median(statements), unit: "each", bar: most },
  ];
}

const TOGETHER = `all on this machine's ${navigator.hardwareConcurrency} cores, with S3 and the clients`;

function refuse(loads: readonly Load[]): void {
  const refused = loads.reduce((sum, each) => sum + each.refused, 0);
  if (refused > 0) throw new Error(`${refused} requests were refused`);
}

function uploads(run: string, seconds: number): RequestLine[] {
  const headers = [`API-Key: ${API_KEY}`, `Content-Type: ${FORM_TYPE}`];
  const bytes = "x".repeat(4 * KB);
  return Array.from({ length: UPLOADS_PER_SECOND * seconds }, (_, number) => {
    const { head, tail } = formAround(`${run}-${number}.txt`);
    return { path: "/api/files", headers, body: head + bytes + tail };
  });
}

/** Uploads `count` files and returns their URL paths. */
async function store(
  server: ServerProcess,
  folder: string,
  count: number,
  bytes: number,
): Promise<RequestLine[]> {
  const lines: RequestLine[] = [];
  for (let number = 0; number < count; number += 1) {
    const form = new FormData();
    form.append("folder", folder);
    form.append("files", new Blob([new Uint8Array(bytes).fill(number)]), `${number}.bin`);
    const headers = { "API-Key": API_KEY };
    const answer = await fetch(`${server.url}/api/files`, { method: "POST", headers, body: form });
    if (answer.status !== 200) throw new Error(`An upload got ${answer.status}.`);
    lines.push({ path: `/api/hosting/${folder}/${number}.bin` });
  }
  return lines;
}
