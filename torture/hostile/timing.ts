import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { rankTest } from "../../test/hostile/rank-test.ts";
import { createSeededRandom } from "../../test/hostile/seeded-random.ts";
import { administrator } from "../../test/session.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/**
 * Timing attacks: the response time must not distinguish a private file from a missing one, an
 * almost correct key from another, or the administrator's address from others.
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
      for (const question of QUESTIONS) rows.push(await ask(server, question, scale));
      return rows;
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

interface Question {
  readonly what: string;
  /** Request heads that must be indistinguishable, by sample number. */
  readonly one: (at: number) => string;
  readonly other: (at: number) => string;
  /** The number of samples, for slow requests. */
  readonly samples?: readonly [whole: number, short: number];
  /** Sent before the pair, and not measured. */
  readonly before?: (at: number) => string | undefined;
}

const FAKE = `exp=9999999999&sig=${"A".repeat(43)}`;
const privateFile = (at: number): string => `some/file-${(at % 100) * 2}.txt`;
/** As many keys as files, of the same length. */
const missingFile = (at: number): string => privateFile(at).replace("file", "none");
const hosted = (key: string, query: string, ...lines: string[]): string =>
  [`GET /api/hosting/${key}${query} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");

const onHosting = (what: string, query: string, ...lines: string[]): Question => ({
  what: `private or missing, ${what}`,
  one: (at) => hosted(privateFile(at), query, ...lines),
  other: (at) => hosted(missingFile(at), query, ...lines),
});

const withKey = (key: string): string =>
  `GET /api/files?id=x HTTP/1.1\r\nHost: a\r\nAPI-Key: ${key}\r\n\r\n`;

let clients = 0;

/** Each attempt comes from a new client, so that none is throttled by earlier ones. */
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
/** As long as the administrator's, and new each time. */
const nobodysEmail = (at: number): string =>
  at.toString(36).padStart(ADMIN_EMAIL.indexOf("@"), "0") +
  ADMIN_EMAIL.slice(ADMIN_EMAIL.indexOf("@"));

const QUESTIONS: readonly Question[] = [
  onHosting("asked plainly", ""),
  onHosting("with a made-up signature", `?${FAKE}`),
  onHosting("with a wrong key", "", "API-Key: wrong-key-0123456789abcdef"),
  onHosting("with a made-up session", "", `Cookie: holdall_session=${"A".repeat(43)}`),
  onHosting("of a range", "", "Range: bytes=0-0"),
  {
    what: "wrong keys, one of them almost right",
    one: () => withKey("torture-key-0123456788"),
    other: () => withKey("9orture-key-0123456789"),
  },
  {
    what: "a wrong password, for the account or for none",
    samples: [2_000, 200],
    one: () => signIn(ADMIN_EMAIL, "not the password"),
    other: (at) => signIn(nobodysEmail(at), "not the password"),
    // A successful sign-in resets the throttle of the address.
    before: (at) => (at % 8 === 0 ? signIn(ADMIN_EMAIL, ADMIN_PASSWORD) : undefined),
  },
];

/** The p-value that chance reaches once in 10,000 trials. */
const LEAST_P = 0.0001;

async function ask(server: ServerProcess, question: Question, scale: Scale): Promise<Row> {
  const samples = scale.tries(...(question.samples ?? ([10_000, 1_000] as const)));
  const random = createSeededRandom(samples);
  const line = await openLine(server);
  const times = { one: [] as number[], other: [] as number[] };
  try {
    const warmUp = question.samples === undefined ? 500 : 0;
    for (let at = 0; at < warmUp; at += 1) {
      await line.time(question.one(at));
      await line.time(question.other(at));
    }
    for (let at = 0; at < samples; at += 1) {
      const order = random.chance(0.5) ? (["one", "other"] as const) : (["other", "one"] as const);
      const before = question.before?.(at);
      if (before !== undefined) await line.time(before);
      for (const which of order) times[which].push(await line.time(question[which](at)));
    }
  } finally {
    line.close();
  }
  const { share, p } = rankTest(times.one, times.other);
  const told = `share ${share.toFixed(4)}, p ${p.toFixed(4)}; medians ${micro(times.one)} and ${micro(times.other)} µs`;
  const isDistinguishable = p < LEAST_P;
  scale.progress(`${question.what}: ${told}`);
  return {
    fault: question.what,
    tries: samples,
    lost: 0,
    leftovers: 0,
    problems: isDistinguishable ? [`The response times differ: ${told}.`] : [],
    note: told,
  };
}

const micro = (times: readonly number[]): string =>
  (([...times].sort((a, b) => a - b)[times.length >> 1] ?? 0) * 1000).toFixed(1);

/** A persistent connection that measures the time of each request until its response. */
async function openLine(server: ServerProcess) {
  const socket: Socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    noDelay: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });
  let heard: (() => void) | undefined;
  socket.on("data", () => heard?.());
  return {
    async time(request: string): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>();
      heard = resolve;
      const from = performance.now();
      socket.write(request);
      await promise;
      return performance.now() - from;
    },
    close: () => socket.destroy(),
  };
}
