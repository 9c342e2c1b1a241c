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
  /** The path on which the next upload makes this call. */
  path(server: ServerProcess): Promise<string | undefined>;
}

/** Steps of an upload into a block that the server has already leased. */
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

/** Steps of the first upload after a start, which leases a block. */
const FIRST_STEPS: readonly Step[] = [
  { name: "making its folder", call: "mkdir", path: async () => undefined },
  {
    name: "the fsync of all folders",
    call: "fsync",
    path: async ({ dataPath }) => join(dataPath, "blobs"),
  },
];

/**
 * Makes every step of storing an upload fail once: the upload must get this status and leave
 * nothing, and the next uploads must succeed.
 */
export async function failingSteps(
  fault: string,
  error: "ENOSPC" | "EIO",
  status: number,
): Promise<Row> {
  const results = createResultCounter(fault);
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  let inventory = emptyInventory;
  try {
    for (const step of [...FIRST_STEPS, ...LATER_STEPS]) {
      const server = await startServer(dataPath, { env: { LOG_LEVEL: "silent" } });
      try {
        inventory = await failOnce(server, step, error, status, inventory, results);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        results.problem(`${step.name}: ${why}`);
      } finally {
        await server.stop();
      }
    }
    return results.row();
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
  results: ResultCounter,
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
  let inventory = before;
  try {
    const bundle = new Map([[`${step.name}/first.bin`, seededBytes(1, 10_000)]]);
    expectFault(await upload(server, bundle), status);
    await trace.detach();
    for (const number of [2, 3, 4]) {
      const next = new Map([[`${step.name}/${number}.bin`, seededBytes(number, 10_000)]]);
      inventory = withAnswer(inventory, next, await upload(server, next));
    }
  } finally {
    await trace.detach();
    results.count(step.name, await checkServer(server, inventory));
  }
  return inventory;
}
