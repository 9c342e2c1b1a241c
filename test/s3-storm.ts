import { crc32 } from "node:zlib";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { FAULTS, startFaultProxy } from "./fault-proxy.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { keysIn, onS3, unfinishedIn } from "./on-s3.ts";

export interface Storm {
  readonly operations: number;
  /** Operations that were answered with an error, as they may be. */
  readonly refused: number;
  readonly faults: number;
  readonly requests: number;
  /** Acknowledged files that are gone or changed, one sentence each. */
  readonly lost: string[];
  /** What nobody owns. */
  readonly leftovers: string[];
  readonly problems: string[];
}

/** Operations at once. */
const CROWD = 16;
/** One in so many requests to the store meets a fault. */
const ONE_IN = 10;
const LARGE = 9_000_000;

/**
 * Uploads, reads, replaces and deletes files while a tenth of the store's answers fail in every
 * way; then, in fair weather, compares what is there with what was acknowledged.
 */
export async function storm(
  settings: S3Settings,
  operations: number,
  seed: number,
): Promise<Storm> {
  let isFair = true;
  let state = seed >>> 0;
  const dice = (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  const proxy = await startFaultProxy(settings.endpoint, () =>
    isFair || dice(ONE_IN) > 0 ? undefined : FAULTS[dice(FAULTS.length)],
  );
  const env = { ...onS3({ ...settings, endpoint: proxy.url }), S3_TIMEOUT: "2s" };
  const server = await startServer({ ...env, LOG_LEVEL: "error" });
  const report = { lost: [] as string[], leftovers: [] as string[], problems: [] as string[] };
  /** What was acknowledged: the checksum of each file's bytes, and its id. */
  const acknowledged = new Map<string, { id: string; sum: number }>();
  let refused = 0;
  let next = 0;

  async function upload(name: string): Promise<void> {
    const bytes = Buffer.alloc(dice(12) === 0 ? LARGE + dice(1000) : 1 + dice(300_000), name);
    const file = await api(server).put(name, bytes);
    acknowledged.set(name, { id: file.id, sum: crc32(bytes) });
  }

  async function read(name: string, sum: number): Promise<void> {
    const answer = await send(server, "GET", `/api/hosting/${name}`);
    if (answer.status === 503) throw new Error("refused");
    // Somebody may have deleted it meanwhile.
    if (answer.status === 404 && !acknowledged.has(name)) return;
    if (answer.status !== 200) report.problems.push(`${name}: ${answer.status} while it is there.`);
    else if (crc32(answer.bytes) !== sum) report.lost.push(`${name} arrived changed or short.`);
  }

  async function remove(name: string, id: string): Promise<void> {
    acknowledged.delete(name);
    const answer = await api(server).json("DELETE", "/api/files", { id });
    // Somebody may have deleted it meanwhile.
    if (answer.status === 404 && !acknowledged.has(name)) return;
    if (answer.status !== 200) report.problems.push(`${name}: delete ${answer.status}.`);
  }

  async function operate(): Promise<void> {
    const known = [...acknowledged];
    const kind = dice(10);
    const [name, file] = known[dice(Math.max(1, known.length))] ?? [];
    if (kind < 5 || name === undefined || file === undefined) {
      next += 1;
      return upload(`file-${next}.bin`);
    }
    return kind < 8 ? read(name, file.sum) : remove(name, file.id);
  }

  try {
    isFair = false;
    let left = operations;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await operate().catch(() => {
          refused += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: CROWD }, worker));
    isFair = true;
    // The sweep at the start removes what could not be removed before. Nothing fails any more, so the
    // timeout only has to bound waiting.
    await server.stop();
    await server.restart({ S3_TIMEOUT: "60s" });
    await compare(server, settings, acknowledged, report);
  } finally {
    await server.discard();
    await proxy.close();
  }
  const faults = Object.values(proxy.tally.faults).reduce((sum, count) => sum + count, 0);
  return { operations, refused, faults, requests: proxy.tally.requests, ...report };
}

type Report = Pick<Storm, "lost" | "leftovers" | "problems">;

async function compare(
  server: TestServer,
  settings: S3Settings,
  acknowledged: ReadonlyMap<string, { sum: number }>,
  report: Report,
): Promise<void> {
  const listed = new Set((await api(server).list()).map(({ name }) => name));
  for (const name of listed) {
    if (!acknowledged.has(name)) report.leftovers.push(`${name} was not acknowledged, or deleted.`);
  }
  for (const [name, { sum }] of acknowledged) {
    const answer = await send(server, "GET", `/api/hosting/${name}`);
    if (!listed.has(name) || answer.status !== 200)
      report.lost.push(`${name} is gone: ${answer.status}.`);
    else if (crc32(answer.bytes) !== sum) report.lost.push(`${name} has changed.`);
  }
  const wanted = listed.size + 1;
  await eventually(
    "nothing is left over",
    async () => (await keysIn(settings)).length === wanted,
  ).catch(async () => {
    const extra = (await keysIn(settings)).length - wanted;
    report.leftovers.push(`${extra} objects of nobody.`);
  });
  for (const id of await unfinishedIn(settings))
    report.leftovers.push(`The upload ${id} is stale.`);
  const verified = await run(["verify"], server.env, 300_000);
  if (verified.code !== 0) report.problems.push(`verify: ${verified.stdout}${verified.stderr}`);
}
