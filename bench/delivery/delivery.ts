import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { installPeers } from "../peers/install-peers.ts";
import { figures, measure } from "./compare.ts";
import type { Work } from "./contender.ts";
import { type Contenders, startContenders } from "./contenders.ts";
import { type HostedFiles, makeHostedFiles } from "./hosted-files.ts";
import { json } from "./json.ts";
import { processes } from "./processes.ts";
import { works } from "./works.ts";

const FILES = 200_000;
const MOST_MEMORY = 150;

/** Downloads beside nginx and Caddy, which serve the same bytes as plain files. */
export async function* delivery(pace: Pace): AsyncGenerator<Figure> {
  installPeers();
  const workPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    const files = await makeHostedFiles({
      dataPath: join(workPath, "data"),
      root: join(workPath, "www"),
      count: FILES,
      withBytes: FILES,
    });
    yield* allWorks(workPath, files, pace);
  } finally {
    rmSync(workPath, { recursive: true });
  }
}

async function* allWorks(workPath: string, files: HostedFiles, pace: Pace): AsyncGenerator<Figure> {
  const warm = await startContenders(workPath, true);
  try {
    for (const work of works) {
      if (work.cold !== true) yield* await warmWork(work, warm, files, pace);
    }
    yield* await json(warm.holdall, files, pace);
    const what = "Memory throughout";
    yield { what, value: warm.holdall.peakMemory(), unit: "MB", bar: MOST_MEMORY };
  } finally {
    await warm.stop();
  }
  yield* processes(workPath, files, pace);
  for (const work of works) {
    if (work.cold === true) yield* await coldWork(work, workPath, files, pace);
  }
}

async function warmWork(work: Work, { all }: Contenders, files: HostedFiles, pace: Pace) {
  const chosen = all.filter(({ name }) => name !== "Caddy" || work.withoutCaddy !== true);
  return figures(work, await measure(work, { contenders: async () => chosen }, files, pace));
}

async function coldWork(work: Work, workPath: string, files: HostedFiles, pace: Pace) {
  let started: Contenders | undefined;
  const contenders = async () => {
    await started?.stop();
    started = await startContenders(workPath, true);
    return started.all;
  };
  // The servers are cold, not the disk: whoever comes first would read it for the others.
  const before = () => {
    readFileSync(join(workPath, "data/catalog.sqlite"));
    for (const path of files.small) readFileSync(join(workPath, "www", path));
  };
  try {
    return figures(work, await measure(work, { contenders, before }, files, pace));
  } finally {
    await started?.stop();
  }
}
