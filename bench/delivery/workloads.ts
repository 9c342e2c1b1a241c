import type { RequestLine } from "../load.ts";
import { GB, KB, MB } from "./hosted-files.ts";
import type { Contender, Workload } from "./workload.ts";

const CONNECTIONS = 32;
const HOT = 1000;
const PIECE = 64 * KB;

/** Files of 64 KB that FILE_MEMORY holds by default. */
const IN_MEMORY = (16 * MB) / (64 * KB);

/** Sets of files of 64 KB: how many times FILE_MEMORY they need, and the bars. */
const setsOf64Kb = [
  { times: 0.5, bar: 1.6, caddyBar: 0.5 },
  { times: 1.1, bar: 2.2, caddyBar: 0.7 },
  { times: 10, bar: 2.2, caddyBar: 0.7 },
];

const plain = (paths: readonly string[]): RequestLine[] => paths.map((path) => ({ path }));

/** The rows of the table, in order. */
export const workloads: readonly Workload[] = [
  {
    what: "public GET 4 KB, 1,000 hot files",
    lines: (_, { small }) => plain(hot(small)),
    status: 200,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 1.6,
    caddyBar: 0.4,
  },
  ...setsOf64Kb.map(
    ({ times, ...bars }): Workload => ({
      what: `public GET 64 KB, ${times} × FILE_MEMORY`,
      lines: (_, { kb64 }) => plain(kb64.slice(0, Math.round(times * IN_MEMORY))),
      status: 200,
      connections: CONNECTIONS,
      figure: "cpu",
      ...bars,
    }),
  ),
  {
    what: "public GET 1 MB",
    lines: (_, { mb1 }) => plain(mb1),
    status: 200,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 1.1,
    caddyBar: 0.8,
  },
  {
    what: "1 GB to one client",
    lines: (_, { gb1 }) => plain([gb1]),
    status: 200,
    connections: 1,
    figure: "throughput",
    bar: 1,
  },
  {
    what: "1 GB to 16 clients",
    lines: (_, { gb1 }) => plain([gb1]),
    status: 200,
    connections: 16,
    figure: "throughput",
    bar: 1,
  },
  {
    what: "206 of 64 KB from 1 GB",
    lines: (_, { gb1 }) => pieces(gb1),
    status: 206,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 2.2,
    caddyBar: 0.7,
  },
  {
    what: "304",
    lines: (contender, { small }) => conditional(contender, hot(small)),
    status: 304,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 1.6,
    caddyBar: 0.4,
  },
  {
    what: "signed private 4 KB",
    lines: (contender, files) => signed(contender, files.private),
    status: 200,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 2,
    withoutCaddy: true,
  },
  {
    what: "404",
    lines: (_, { small }) => plain(hot(small).map((path) => `${path}.none`)),
    status: 404,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 1.8,
    caddyBar: 0.4,
  },
  {
    what: "cold: 4 KB, each file once",
    lines: (_, { small }) => plain(shuffled(small)),
    status: 200,
    connections: CONNECTIONS,
    figure: "cpu",
    bar: 2.5,
    cold: true,
  },
];

/** A sample spread over all folders. */
function hot(paths: readonly string[]): string[] {
  const every = Math.max(1, Math.floor(paths.length / HOT));
  return paths.filter((_, index) => index % every === 0).slice(0, HOT);
}

/** A pseudo-random order, the same each time. */
function shuffled(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => Bun.hash.crc32(a) - Bun.hash.crc32(b));
}

function pieces(path: string): RequestLine[] {
  return Array.from({ length: 1000 }, (_, index) => {
    const start = (index * 7_919_777_777) % (GB - PIECE);
    return { path, headers: [`Range: bytes=${start}-${start + PIECE - 1}`] };
  });
}

async function conditional({ url }: Contender, paths: readonly string[]): Promise<RequestLine[]> {
  const lines: RequestLine[] = [];
  for (const path of paths) {
    const { headers } = await fetch(url + path, { method: "HEAD" });
    // Each server accepts its own ETag.
    lines.push({ path, headers: [`If-None-Match: ${headers.get("etag")}`] });
  }
  return lines;
}

async function signed(contender: Contender, paths: readonly string[]): Promise<RequestLine[]> {
  const lines: RequestLine[] = [];
  for (const path of paths) lines.push({ path: `${path}?${await contender.sign(path)}` });
  return lines;
}
