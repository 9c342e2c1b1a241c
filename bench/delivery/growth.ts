import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../figure.ts";
import { installPeers } from "../peers/install-peers.ts";
import type { RunLength } from "../run-length.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { measure } from "./compare.ts";
import { signOn } from "./contenders.ts";
import { type HostedFiles, makeHostedFiles } from "./hosted-files.ts";
import { json } from "./json.ts";
import type { Contender } from "./workload.ts";
import { workloads } from "./workloads.ts";

const COUNTS = [1000, 100_000, 5_000_000];
/** Files with bytes, spread evenly: only the catalog grows. */
const FILES_WITH_BYTES = 20_000;

/** The same workloads at 1,000, 100,000 and 5,000,000 files. */
export async function* growth(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers();
  for (const count of COUNTS) {
    const workPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
    try {
      const dataPath = join(workPath, "data");
      const root = join(workPath, "www");
      const files = await makeHostedFiles({ dataPath, root, count, withBytes: FILES_WITH_BYTES });
      yield* at(count, dataPath, files, runLength);
    } finally {
      rmSync(workPath, { recursive: true });
    }
  }
}

async function* at(
  count: number,
  dataPath: string,
  files: HostedFiles,
  runLength: RunLength,
): AsyncGenerator<Figure> {
  const name = `${count.toLocaleString("en")} files`;
  for (const workload of workloads) {
    const server = await startServer({ dataPath });
    try {
      const [ours] = await measure(workload, { contenders: async () => [holdall(server)] }, files, {
        ...runLength,
        runs: 1,
      });
      if (ours === undefined) continue;
      const p99 = `p99 ${ours.p99.toFixed(2)} ms`;
      yield workload.figure === "cpu"
        ? { what: `${name}: ${workload.what}, CPU`, value: ours.cpu, unit: "µs", note: p99 }
        : { what: `${name}: ${workload.what}`, value: ours.bytesPerSecond / 1e9, unit: "GB/s" };
    } finally {
      await server.stop();
    }
  }
  const server = await startServer({ dataPath });
  try {
    const figures = await json(server, files, { ...runLength, runs: 1 });
    for (const figure of figures) yield { ...figure, what: `${name}: ${figure.what}` };
  } finally {
    await server.stop();
  }
}

const holdall = (server: ServerProcess): Contender => ({
  name: "Holdall",
  url: server.url,
  cpu: server.cpu,
  sign: (path) => signOn(server, path),
});
