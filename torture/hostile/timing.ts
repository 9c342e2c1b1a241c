import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { rankTest } from "../../test/hostile/rank-test.ts";
import { createSeededRandom } from "../../test/hostile/seeded-random.ts";
import { administrator } from "../../test/session.ts";
import { newKeyData } from "../../test/shapes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/**
 * Timing attacks: response times must not distinguish a private file from a missing one, also with an
 * API key for another folder, an almost correct API key from another wrong one, or the
 * administrator's email address from an unknown one.
 */
export const timing: Trial = {
  name: "timing",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"), {
      env: { ...administrator, TRUSTED_PROXIES: "127.0.0.1" },
    });
    try {
      for (let at = 0; at < 200; at += 1) {
        await api(server).put(`some/file-${at}.txt`, "x", {
          visibility: at % 2 === 0 ? "private" : "public",
        });
      }
      const rows: Row[] = [];
      const limited = privateOrMissing(
        "API key for another folder",
        "",
        `API-Key: ${await createLimitedKey(server)}`,
      );
      for (const comparison of [...COMPARISONS, limited])
        rows.push(await compare(server, comparison, scale));
      return rows;
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

/** Two kinds of requests whose response times must not differ. */
interface Comparison {
  readonly name: string;
  /** The requests, by sample number. */
  readonly one: (at: number) => string;
  readonly other: (at: number) => string;
  /** Default: 10,000, or 1,000 in a short run. Slow requests use fewer. */
  readonly samples?: readonly [full: number, short: number];
  /** An untimed request before the two. */
  readonly before?: (at: number) => string | undefined;
}

const INVALID_SIGNATURE = `exp=9999999999&sig=${"A".repeat(43)}`;
const privateFile = (at: number): string => `some/file-${(at % 100) * 2}.txt`;
/** As many names as there are private files, with the same lengths. */
const missingFile = (at: number): string => privateFile(at).replace("file", "none");
const hosted = (key: string, query: string, ...lines: string[]): string =>
  [`GET /api/hosting/${key}${query} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");

const privateOrMissing = (name: string, query: string, ...lines: string[]): Comparison => ({
  name: `private or missing file, ${name}`,
  one: (at) => hosted(privateFile(at), query, ...lines),
  other: (at) => hosted(missingFile(at), query, ...lines),
});

const withKey = (key: string): string =>
  `GET /api/files?id=x HTTP/1.1\r\nHost: a\r\nAPI-Key: ${key}\r\n\r\n`;

let clients = 0;

/** A sign-in request from a new client address, so that earlier failures do not delay it. */
function signIn(email: string, password: string): string {
  clients += 1;
  const body = JSON.stringify({ email, password });
  return [
    "POST /auth/sign-in HTTP/1.1",
    "Host: a",
    `X-Forwarded-For: 198.${18 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

const { ADMIN_EMAIL, ADMIN_PASSWORD } = administrator;
/** Has the length of the administrator's address, and is different for each sample. */
const unknownEmail = (at: number): string =>
  at.toString(36).padStart(ADMIN_EMAIL.indexOf("@"), "0") +
  ADMIN_EMAIL.slice(ADMIN_EMAIL.indexOf("@"));

const COMPARISONS: readonly Comparison[] = [
  privateOrMissing("plain request", ""),
  privateOrMissing("invalid signature", `?${INVALID_SIGNATURE}`),
  privateOrMissing("wrong API key", "", "API-Key: wrong-key-0123456789abcdef"),
  privateOrMissing("invalid session", "", `Cookie: holdall_session=${"A".repeat(43)}`),
  privateOrMissing("range request", "", "Range: bytes=0-0"),
  {
    name: "wrong API keys, one almost correct",
    one: () => withKey("torture-key-0123456788"),
    other: () => withKey("9orture-key-0123456789"),
  },
  {
    name: "wrong password, known or unknown account",
    samples: [2_000, 200],
    one: () => signIn(ADMIN_EMAIL, "not the password"),
    other: (at) => signIn(unknownEmail(at), "not the password"),
    // A successful sign-in resets the delay after failures.
    before: (at) => (at % 8 === 0 ? signIn(ADMIN_EMAIL, ADMIN_PASSWORD) : undefined),
  },
];

/** A key for a folder without the files. */
async function createLimitedKey(server: ServerProcess): Promise<string> {
  await api(server).folder("elsewhere");
  const body = { name: "limited", folder: "elsewhere", actions: ["read"] };
  const made = await api(server).json("POST", "/api/keys", body);
  return expectData(made, newKeyData).secret;
}

/** By chance, p is lower once in ten thousand comparisons. */
const MIN_P = 0.0001;

async function compare(server: ServerProcess, comparison: Comparison, scale: Scale): Promise<Row> {
  const samples = scale.tries(...(comparison.samples ?? ([10_000, 1_000] as const)));
  const random = createSeededRandom(samples);
  const connection = await openConnection(server);
  const times = { one: [] as number[], other: [] as number[] };
  try {
    const warmUp = comparison.samples === undefined ? 500 : 0;
    for (let at = 0; at < warmUp; at += 1) {
      await connection.time(comparison.one(at));
      await connection.time(comparison.other(at));
    }
    for (let at = 0; at < samples; at += 1) {
      const order = random.chance(0.5) ? (["one", "other"] as const) : (["other", "one"] as const);
      const before = comparison.before?.(at);
      if (before !== undefined) await connection.time(before);
      for (const which of order) times[which].push(await connection.time(comparison[which](at)));
    }
  } finally {
    connection.close();
  }
  const { share, p } = rankTest(times.one, times.other);
  const note = `share ${share.toFixed(4)}, p ${p.toFixed(4)}; medians ${medianMicroseconds(times.one)} and ${medianMicroseconds(times.other)} µs`;
  scale.progress(`${comparison.name}: ${note}`);
  return {
    fault: comparison.name,
    tries: samples,
    lost: 0,
    leftovers: 0,
    problems: p < MIN_P ? [`The response times differ: ${note}.`] : [],
    note,
  };
}

const medianMicroseconds = (times: readonly number[]): string =>
  (([...times].sort((a, b) => a - b)[times.length >> 1] ?? 0) * 1000).toFixed(1);

/** One connection that sends one request at a time and measures the time to its response. */
async function openConnection(server: ServerProcess) {
  const socket: Socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    noDelay: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });
  let onResponse: (() => void) | undefined;
  socket.on("data", () => onResponse?.());
  return {
    async time(request: string): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>();
      onResponse = resolve;
      const start = performance.now();
      socket.write(request);
      await promise;
      return performance.now() - start;
    },
    close: () => socket.destroy(),
  };
}
