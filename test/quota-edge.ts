import { expect } from "bun:test";
import { workersOf } from "./each-worker.ts";
import { eventually } from "./expectations.ts";
import { run } from "./harness.ts";
import { emptyTrash, SIZE, WORK } from "./quota-work.ts";
import { quotaRequests } from "./quotas.fixture.ts";
import type { S3TestServer } from "./s3-api/s3-server.fixture.ts";

/* Work at the edge of quotas while servers are killed. */

/** Set to 300 for a long run with `bun test`: it takes longer than `npm test` gives a file. */
const KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? 4);
export const KILLS_MS = 600_000 + KILLS * 10_000;

export const FOLDER = "edge";
/** Room for some files; they are deleted again. */
const MAX_BYTES = 20 * SIZE + SIZE / 2;
/** The limits of folders between which contents move. */
const LIMITS = { [FOLDER]: { maxBytes: MAX_BYTES }, near: { maxFiles: 20 } };
const SPACES = Object.keys(LIMITS);
export const EDGE_SETTINGS = { KEEP_VERSIONS: "true", RATE_LIMIT_API: "0" };

const random = (max: number): number => Math.floor(Math.random() * max);

export async function limitSpaces(server: S3TestServer): Promise<void> {
  for (const [folder, limits] of Object.entries(LIMITS)) {
    await quotaRequests(server).limited(folder, limits);
  }
}

/** Does all kinds of work on all servers while they are killed. Returns the answers that no request may get. */
async function workWhile(
  servers: readonly S3TestServer[],
  kills: () => Promise<void>,
): Promise<string[]> {
  let isOver = false;
  let refused = 0;
  const done = new Set<string>();
  const wrong: string[] = [];
  const kinds = Object.entries(WORK);
  const client = async (number: number): Promise<void> => {
    for (let step = number; !isOver; step += 1) {
      const server = servers[random(servers.length)];
      // Every other step is an upload, so that the edge is met all the time.
      const [kind, act] = kinds[step % 2 === 0 ? 0 : ((step - 1) / 2) % kinds.length] ?? [];
      if (server === undefined || kind === undefined || act === undefined) return;
      const key = `${SPACES[random(SPACES.length)]}/${random(3)}/${number}-${random(40)}`;
      const name = `${number}-${step}-moved`;
      try {
        const status = await act({ server, spaces: SPACES, key, name });
        if (status === undefined) continue;
        if (status < 300) done.add(kind);
        else if (status === 507) {
          refused += 1;
          if (random(2) === 0) await emptyTrash(server);
        } else if (status === 500) wrong.push(`${kind}: ${status}`);
      } catch {
        // The server was killed.
        await Bun.sleep(20);
      }
    }
  };
  const clients = Array.from({ length: 12 }, (_, number) => client(number));
  try {
    await kills();
    // A slow machine may have done little so far.
    await eventually(
      "all kinds of work were done, and a quota was exceeded",
      () => done.size === kinds.length && refused > 0,
    );
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  return wrong;
}

/** The quotas. Connections to a worker that was killed are closed, so several requests may fail. */
async function quotasOf(server: S3TestServer) {
  const read = () =>
    quotaRequests(server)
      .quotas()
      .catch(() => undefined);
  let quotas = await read();
  await eventually("the quotas are read", async () => {
    quotas ??= await read();
    return quotas !== undefined;
  });
  return quotas ?? [];
}

/** The limits hold at every moment, and a recount finds nothing wrong. */
export async function expectRightQuotas(server: S3TestServer): Promise<void> {
  for (const quota of await quotasOf(server)) {
    expect(quota.isExceeded).toBe(false);
    expect(quota.usedBytes).toBe(quota.usedFiles * SIZE);
  }
  const verified = await run(["verify", "--quick", "--json"], server.env);
  const lines = verified.stdout.trim().split("\n");
  expect(lines.at(-1)).toContain('"type":"summary"');
  expect(lines.filter((line) => line.includes('"quota"'))).toEqual([]);
}

/** Kills one of them again and again, or a single worker of it, and recounts after each time. */
async function killAgain(servers: readonly S3TestServer[]): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await Bun.sleep(200 + random(500));
    const server = servers[random(servers.length)];
    if (server === undefined) return;
    const workers = workersOf(server);
    const worker = workers[random(workers.length)];
    if (worker !== undefined && kill % 3 === 0) {
      process.kill(worker, "SIGKILL");
    } else {
      await server.kill();
      await server.restart();
    }
    await expectRightQuotas(server);
  }
}

/** Kills servers, which share their stores, while all kinds of work go on at the edge of their quotas. */
export async function expectRightAfterKills(servers: readonly S3TestServer[]): Promise<void> {
  expect(await workWhile(servers, () => killAgain(servers))).toEqual([]);
  for (const server of servers) {
    await expectRightQuotas(server);
    // No job has put it right.
    expect(server.output()).not.toContain("Corrected the numbers of a quota");
  }
}
