import { join } from "node:path";
import { expectFault } from "../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { checkServer } from "./check-server.ts";
import { errorInjectionArgs } from "./error-injection.ts";
import { emptyInventory, type Inventory } from "./inventory.ts";
import { nextBlob } from "./next-blob.ts";
import { createResultCounter, type ResultCounter } from "./result-counter.ts";
import { seededBytes } from "./seeded-bytes.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { attachTracer } from "./tracer.ts";
import type { Row } from "./trial.ts";
import { upload, withAnswer } from "./uploads.ts";

interface Step {
  readonly name: string;
  readonly call: string;
  /** Where the next upload makes this call. */
  path(server: ServerProcess): Promise<string | undefined>;
}

/** For an upload into a block of ids that the server uses already. */
const LATER_STEPS: readonly Step[] = [
  {
    name: "making the file",
    call: "openat",
    path: async (server) => (await nextBlob(server)).blob,
  },
  { name: "writing", call: "pwrite64", path: async (server) => (await nextBlob(server)).blob },
  { name: "its fsync", call: "fsync", path: async (server) => (await nextBlob(server)).blob },
  {
    name: "the fsync of its folder",
    call: "fsync",
    path: async (server) => (await nextBlob(server)).block,
  },
];

/** For the first upload after a start, which opens a block. */
const FIRST_STEPS: readonly Step[] = [
  { name: "making its folder", call: "mkdir", path: async () => undefined },
  {
    name: "the fsync of all folders",
    call: "fsync",
    path: async ({ dataPath }) => join(dataPath, "blobs"),
  },
];

/**
 * Every step of storing an upload's bytes fails once: the upload gets this status, nothing is left
 * of it, and the very next ones succeed.
 */
export async function failingSteps(
  fault: string,
  error: "ENOSPC" | "EIO",
  status: number,
): Promise<Row> {
  const tally = createResultCounter(fault);
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  let holdings = emptyInventory;
  try {
    for (const step of [...FIRST_STEPS, ...LATER_STEPS]) {
      const server = await startServer(dataPath, { env: { LOG_LEVEL: "silent" } });
      try {
        holdings = await failOnce(server, step, error, status, holdings, tally);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        tally.problem(`${step.name}: ${why}`);
      } finally {
        await server.stop();
      }
    }
    return tally.row();
  } finally {
    removeFolder(folder);
  }
}

async function failOnce(
  server: ServerProcess,
  step: Step,
  error: "ENOSPC" | "EIO",
  status: number,
  before: Inventory,
  tally: ResultCounter,
): Promise<Inventory> {
  const path = await step.path(server);
  const trace = await attachTracer(
    server.pid,
    errorInjectionArgs({
      calls: [step.call],
      ...(path === undefined ? {} : { path }),
      error,
      from: 1,
      every: 0,
    }),
  );
  let holdings = before;
  try {
    const bundle = new Map([[`${step.name}/first.bin`, seededBytes(1, 10_000)]]);
    expectFault(await upload(server, bundle), status);
    await trace.detach();
    for (const number of [2, 3, 4]) {
      const next = new Map([[`${step.name}/${number}.bin`, seededBytes(number, 10_000)]]);
      holdings = withAnswer(holdings, next, await upload(server, next));
    }
  } finally {
    await trace.detach();
    tally.count(step.name, await checkServer(server, holdings));
  }
  return holdings;
}
