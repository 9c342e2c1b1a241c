import { crc32 } from "node:zlib";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { api, send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { FAULTS, startFaultProxy } from "./fault-proxy.ts";
import { run, startServer, type TestServer } from "./harness.ts";
import { keysIn, multipartUploadsIn, s3Environment } from "./s3-environment.ts";

export interface Storm {
  readonly operations: number;
  /** Operations that failed with an error response, which is allowed. */
  readonly refused: number;
  readonly faults: number;
  readonly requests: number;
  /** Acknowledged files that are missing or changed, one sentence each. */
  readonly lost: string[];
  /** Orphaned objects and records. */
  readonly leftovers: string[];
  readonly problems: string[];
}

/** Concurrent operations. */
const CONCURRENCY = 16;
/** One in this many requests to S3 fails. */
const ONE_IN = 10;
const LARGE = 9_000_000;

/**
 * Uploads, reads, replaces and deletes files while a tenth of the responses of S3 fail in every way.
 * Then, without faults, compares the stored files with those that were acknowledged.
 */
export async function storm(
  settings: S3Settings,
  operations: number,
  seed: number,
): Promise<Storm> {
  let isFaultFree = true;
  let state = seed >>> 0;
  const random = (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  const proxy = await startFaultProxy(settings.endpoint, () =>
    isFaultFree || random(ONE_IN) > 0 ? undefined : FAULTS[random(FAULTS.length)],
  );
  const env = { ...s3Environment({ ...settings, endpoint: proxy.url }), S3_TIMEOUT: "4s" };
  const server = await startServer({ ...env, LOG_LEVEL: "error" });
  const report = { lost: [] as string[], leftovers: [] as string[], problems: [] as string[] };
  /** Acknowledged files by name: id and checksum. */
  const acknowledged = new Map<string, { id: string; sum: number }>();
  let refused = 0;
  let next = 0;

  async function upload(name: string): Promise<void> {
    const bytes = Buffer.alloc(random(12) === 0 ? LARGE + random(1000) : 1 + random(300_000), name);
    const file = await api(server).put(name, bytes);
    acknowledged.set(name, { id: file.id, sum: crc32(bytes) });
  }

  async function read(name: string, sum: number): Promise<void> {
    const answer = await send(server, "GET", `/api/hosting/${name}`);
    if (answer.status === 503) throw new Error("refused");
    // Another client may have deleted it.
    if (answer.status === 404 && !acknowledged.has(name)) return;
    if (answer.status !== 200) report.problems.push(`${name}: ${answer.status} while it is there.`);
    else if (crc32(answer.bytes) !== sum) report.lost.push(`${name} arrived changed or short.`);
  }

  async function remove(name: string, id: string): Promise<void> {
    acknowledged.delete(name);
    const answer = await api(server).json("DELETE", "/api/files", { id });
    // Another client may have deleted it.
    if (answer.status === 404 && !acknowledged.has(name)) return;
    if (answer.status !== 200) report.problems.push(`${name}: delete ${answer.status}.`);
  }

  async function operate(): Promise<void> {
    const known = [...acknowledged];
    const kind = random(10);
    const [name, file] = known[random(Math.max(1, known.length))] ?? [];
    if (kind < 5 || name === undefined || file === undefined) {
      next += 1;
      return upload(`file-${next}.bin`);
    }
    return kind < 8 ? read(name, file.sum) : remove(name, file.id);
  }

  try {
    isFaultFree = false;
    let left = operations;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await operate().catch(() => {
          refused += 1;
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    isFaultFree = true;
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
    let answer = await send(server, "GET", `/api/hosting/${name}`);
    // The S3 server may take seconds to reply on a busy machine.
    for (let tries = 0; answer.status === 503 && tries < 30; tries += 1) {
      await Bun.sleep(2000);
      answer = await send(server, "GET", `/api/hosting/${name}`);
    }
    if (!listed.has(name) || answer.status !== 200)
      report.lost.push(`${name} is gone: ${answer.status}.`);
    else if (crc32(answer.bytes) !== sum) report.lost.push(`${name} has changed.`);
  }
  const wanted = listed.size + 1;
  await eventually(
    "no objects are left over",
    async () => (await keysIn(settings)).length === wanted,
  ).catch(async () => {
    const extra = (await keysIn(settings)).length - wanted;
    report.leftovers.push(`${extra} orphaned objects.`);
  });
  for (const id of await multipartUploadsIn(settings))
    report.leftovers.push(`The upload ${id} is stale.`);
  const verified = await run(["verify"], server.env, 300_000);
  if (verified.code !== 0) report.problems.push(`verify: ${verified.stdout}${verified.stderr}`);
}
