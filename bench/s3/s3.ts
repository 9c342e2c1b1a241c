import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareCpu } from "../compare-cpu.ts";
import { type Figure, median } from "../figure.ts";
import type { RequestLine } from "../load.ts";
import { installPeers } from "../peers/install-peers.ts";
import type { RunLength } from "../run-length.ts";
import { seed } from "../seed.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { type Contender, ceph, holdall, send, signed } from "./contender.ts";
import { sendParts } from "./multipart.ts";

const BUCKET = "bench";
const CLIENTS = 16;
const OBJECTS = 200;
const CPU_BAR = 0.5;
const KB = 1024;
const GB = KB ** 3;
/** More than either server takes in a second. */
const PUTS_PER_SECOND = 4000;

/** The S3 API compared with Ceph's, in turns. */
export async function* s3(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers();
  const server = await startServer();
  try {
    const contenders = [await holdall(server), await ceph()] as const;
    for (const contender of contenders) await send(contender, "PUT", `/${BUCKET}`);
    yield* await reads(contenders, 4 * KB, "GET of 4 KB", runLength);
    yield* await reads(contenders, KB * KB, "GET of 1 MB", runLength);
    yield* await puts(contenders, runLength);
    yield await multipart(contenders, runLength);
  } finally {
    await server.stop();
  }
  yield* await lists();
}

type Contenders = readonly [Contender, Contender];

async function reads(
  contenders: Contenders,
  size: number,
  what: string,
  length: RunLength,
): Promise<Figure[]> {
  const body = "x".repeat(size);
  for (const contender of contenders) {
    for (let number = 0; number < OBJECTS; number += 1) {
      await send(contender, "PUT", `/${BUCKET}/${size}-${number}`, body);
    }
  }
  const keys = Array.from({ length: OBJECTS }, (_, number) => `/${BUCKET}/${size}-${number}`);
  return compareCpu(
    {
      what: `S3: signed ${what}`,
      contenders,
      connections: CLIENTS,
      bar: CPU_BAR,
      lines: (contender) => Promise.all(keys.map((path) => line(contender, "GET", path))),
    },
    length,
  );
}

function puts(contenders: Contenders, length: RunLength): Promise<Figure[]> {
  let run = 0;
  const body = "x".repeat(4 * KB);
  return compareCpu(
    {
      what: "S3: PUT of 4 KB",
      contenders,
      connections: CLIENTS,
      bar: CPU_BAR,
      lines(contender) {
        run += 1;
        const paths = Array.from(
          { length: PUTS_PER_SECOND * length.seconds },
          (_, number) => `/${BUCKET}/put-${run}/${number}`,
        );
        return Promise.all(paths.map((path) => line(contender, "PUT", path, body)));
      },
    },
    length,
  );
}

async function line(
  contender: Contender,
  method: string,
  path: string,
  body?: string,
): Promise<RequestLine> {
  const headers = [...(await signed(contender, method, path))].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}

/** A multipart upload of 1 GB in parts of 16 MB, four at once. */
async function multipart(contenders: Contenders, { runs }: RunLength): Promise<Figure> {
  const seconds: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    for (const [index, contender] of contenders.entries()) {
      const from = performance.now();
      await sendParts(contender, `/${BUCKET}/large`, GB);
      seconds[index]?.push((performance.now() - from) / 1000);
      await send(contender, "DELETE", `/${BUCKET}/large`);
    }
  }
  const [ours, theirs] = [median(seconds[0]), median(seconds[1])];
  return {
    what: "S3: multipart upload of 1 GB, speed compared with Ceph RGW",
    value: theirs / ours,
    unit: "×",
    bar: 1,
    atLeast: true,
    note: `${(1 / ours).toFixed(2)} GB/s | ${(1 / theirs).toFixed(2)} GB/s`,
  };
}

const LISTS = 51;

/** Lists of 1,000 keys of a bucket with 1,000,000. */
async function lists(): Promise<Figure[]> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  let server: ServerProcess | undefined;
  try {
    await (await startServer({ dataPath })).stop();
    await seed(dataPath, 10_000, 100);
    server = await startServer({ dataPath });
    const contender = await holdall(server);
    const time = async (query: (run: number) => string): Promise<number> => {
      const times: number[] = [];
      for (let run = 0; run < LISTS; run += 1) {
        const from = performance.now();
        await (await send(contender, "GET", `/top?list-type=2&${query(run)}`)).text();
        times.push(performance.now() - from);
      }
      return median(times);
    };
    const after = (run: number): string => `start-after=${(run * 37) % 100}%2F`;
    return [
      {
        what: "S3: list of 1,000 keys of 1,000,000, median",
        value: await time(after),
        unit: "ms",
        bar: 20,
      },
      {
        what: "S3: list of 100 common prefixes of 1,000,000 keys, median",
        value: await time(() => "delimiter=%2F"),
        unit: "ms",
        bar: 20,
      },
    ];
  } finally {
    await server?.stop();
    rmSync(dataPath, { recursive: true });
  }
}
