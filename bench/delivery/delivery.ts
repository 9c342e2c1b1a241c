import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../figure.ts";
import { installPeers } from "../peers/install-peers.ts";
import type { RunLength } from "../run-length.ts";
import { figures, measure } from "./compare.ts";
import { type Contenders, startContenders } from "./contenders.ts";
import { type HostedFiles, makeHostedFiles } from "./hosted-files.ts";
import { json } from "./json.ts";
import { processes } from "./processes.ts";
import type { Workload } from "./workload.ts";
import { workloads } from "./workloads.ts";

const FILES = 200_000;
const MAX_MEMORY_MB = 150;

/** Downloads compared with nginx and Caddy, which serve the same bytes as plain files. */
export async function* delivery(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers();
  const workPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    const files = await makeHostedFiles({
      dataPath: join(workPath, "data"),
      root: join(workPath, "www"),
      count: FILES,
      withBytes: FILES,
    });
    yield* allWorkloads(workPath, files, runLength);
  } finally {
    rmSync(workPath, { recursive: true });
  }
}

async function* allWorkloads(
  workPath: string,
  files: HostedFiles,
  runLength: RunLength,
): AsyncGenerator<Figure> {
  const warm = await startContenders(workPath, true);
  try {
    for (const workload of workloads) {
      if (workload.cold !== true) yield* await warmWorkload(workload, warm, files, runLength);
    }
    yield* await json(warm.holdall, files, runLength);
    const what = "Memory throughout";
    yield { what, value: warm.holdall.peakMemory(), unit: "MB", bar: MAX_MEMORY_MB };
  } finally {
    await warm.stop();
  }
  yield* processes(workPath, files, runLength);
  for (const workload of workloads) {
    if (workload.cold === true) yield* await coldWorkload(workload, workPath, files, runLength);
  }
}

async function warmWorkload(
  workload: Workload,
  { all }: Contenders,
  files: HostedFiles,
  runLength: RunLength,
) {
  const chosen = all.filter(({ name }) => name !== "Caddy" || workload.withoutCaddy !== true);
  return figures(
    workload,
    await measure(workload, { contenders: async () => chosen }, files, runLength),
  );
}

async function coldWorkload(
  workload: Workload,
  workPath: string,
  files: HostedFiles,
  runLength: RunLength,
) {
  let started: Contenders | undefined;
  const contenders = async () => {
    await started?.stop();
    started = await startContenders(workPath, true);
    return started.all;
  };
  // Warms the page cache: only the servers are cold, or the first contender would read for the others.
  const before = () => {
    readFileSync(join(workPath, "data/catalog.sqlite"));
    for (const path of files.small) readFileSync(join(workPath, "www", path));
  };
  try {
    return figures(workload, await measure(workload, { contenders, before }, files, runLength));
  } finally {
    await started?.stop();
  }
}
