import { type Figure, median } from "../figure.ts";
import { type Line, type Load, load } from "../load.ts";
import type { Pace } from "../pace.ts";
import { installPeers } from "../peers/install-peers.ts";
import { API_KEY, type ServerProcess, startServer } from "../server-process.ts";
import { FORM_TYPE, formAround } from "../uploads/form.ts";
import { type SharedStores, startSharedStores } from "./shared-stores.ts";

const MOST = 3;
/** Of all clients together, whatever the number of servers. */
const CLIENTS = 48;
const KB = 1024;
const SMALL_FILES = 1000;
const LARGE_FILES = 16;
/** More than are uploaded within a second. */
const UPLOADS_PER_SECOND = 4000;

/**
 * The same load on one, two and three servers over one PostgreSQL and one S3 store. All of them, and
 * who makes the load, share this machine: what can be carried over to others is the processor time.
 */
export async function* instances(pace: Pace): AsyncGenerator<Figure> {
  installPeers();
  const stores = await startSharedStores();
  const servers: ServerProcess[] = [];
  try {
    // The first alone: it makes the tables.
    for (let number = 0; number < MOST; number += 1) {
      servers.push(await startServer({ env: stores.env }));
    }
    const [first] = servers;
    if (first === undefined) throw new Error("There are no servers.");
    const small = await store(first, "small", SMALL_FILES, 4 * KB);
    const large = await store(first, "large", LARGE_FILES, KB * KB);
    const works: readonly Work[] = [
      { what: "GET of 4 KB", lines: () => small },
      { what: "GET of 1 MB", lines: () => large },
      { what: "upload of 4 KB", lines: (run) => uploads(run, pace.seconds) },
    ];
    for (const work of works) {
      for (let count = 1; count <= MOST; count += 1) {
        yield* await measure(work, servers.slice(0, count), stores, pace);
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await stores.stop();
  }
}

interface Work {
  readonly what: string;
  /** For one server and one run, which nothing else is named after. */
  lines(run: string): readonly Line[];
}

async function measure(
  { what, lines }: Work,
  servers: readonly ServerProcess[],
  stores: SharedStores,
  { runs, seconds }: Pace,
): Promise<Figure[]> {
  const rates: number[] = [];
  const ours: number[] = [];
  const databases: number[] = [];
  const cpu = (): number => servers.reduce((sum, server) => sum + server.cpu(), 0);
  const connections = Math.floor(CLIENTS / servers.length);
  for (let run = 0; run < runs; run += 1) {
    const [our, database] = [cpu(), stores.databaseCpu()];
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
  }
  return [
    {
      what: `${what}, ${servers.length} ${servers.length === 1 ? "server" : "servers"}`,
      value: median(rates),
      unit: "/s",
      note: `CPU for each: Holdall ${Math.round(median(ours))} µs, PostgreSQL ${Math.round(median(databases))} µs; all on this machine's ${navigator.hardwareConcurrency} cores, with S3 and the clients`,
    },
  ];
}

function refuse(loads: readonly Load[]): void {
  const refused = loads.reduce((sum, each) => sum + each.refused, 0);
  if (refused > 0) throw new Error(`${refused} requests were refused`);
}

function uploads(run: string, seconds: number): Line[] {
  const headers = [`API-Key: ${API_KEY}`, `Content-Type: ${FORM_TYPE}`];
  const bytes = "x".repeat(4 * KB);
  return Array.from({ length: UPLOADS_PER_SECOND * seconds }, (_, number) => {
    const { head, tail } = formAround(`${run}-${number}.txt`);
    return { path: "/api/files", headers, body: head + bytes + tail };
  });
}

/** Uploads so many files and gives the paths of their URLs. */
async function store(
  server: ServerProcess,
  folder: string,
  count: number,
  bytes: number,
): Promise<Line[]> {
  const lines: Line[] = [];
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
