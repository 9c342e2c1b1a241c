import { join } from "node:path";
import { api } from "../../test/client.ts";
import { expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { checkServer, type Findings, NEXT_SWEEP_MS, waitForNoLeftovers } from "../check-server.ts";
import { errorInjectionArgs } from "../error-injection.ts";
import {
  compare,
  emptyInventory,
  type Inventory,
  withMoved,
  withoutFiles,
  withVisibility,
} from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { upload, withAnswer } from "../uploads.ts";

const WRITES = 200;
const MAX_CHANGES = 100;

/**
 * The catalog's volume is full from the n-th write on, for n up to 200. Makes changes until one is
 * refused, and retries that one once there is space.
 */
export async function fillCatalog(scale: Scale): Promise<Row> {
  const results = createResultCounter("disk full, catalog");
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  let server = await startServer(dataPath);
  let inventory = emptyInventory;
  try {
    for (const write of sampleEvenly([...Array(WRITES).keys()], scale.tries(WRITES, 10))) {
      const what = `full from write ${write + 1} on`;
      try {
        const outcome = await fillOnce(server, inventory, write + 1);
        inventory = outcome.inventory;
        results.count(what, outcome.findings);
      } catch (error) {
        results.problem(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
    // Blobs whose removal could not be recorded are left to the next sweep.
    const leftovers = await waitForNoLeftovers(dataPath, NEXT_SWEEP_MS);
    results.count("with space again", { lost: [], extra: [], leftovers });
    await server.kill();
    server = await startServer(dataPath);
    results.count("after a restart", await checkServer(server, inventory));
    return results.row();
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

interface Step {
  run(server: ServerProcess, before: Inventory): Promise<HttpResponse>;
  after(before: Inventory, answer: HttpResponse): Inventory;
}

/** Cycles through all kinds of changes; the last one deletes what the first created. */
function stepOf(number: number): Step {
  const id = (inventory: Inventory, key: string) => inventory.files.get(key)?.id ?? "";
  const bundle = new Map([["folder/new.bin", seededBytes(number, 3_000)]]);
  const all: readonly Step[] = [
    {
      run: (server) => upload(server, bundle),
      after: (before, answer) => withAnswer(before, bundle, answer),
    },
    {
      run: (server, before) =>
        api(server).json("PUT", "/api/files", {
          id: id(before, "folder/new.bin"),
          name: "old.bin",
        }),
      after: (before) => withMoved(before, "folder/new.bin", "folder/old.bin"),
    },
    {
      run: (server, before) =>
        api(server).json("PUT", "/api/files", {
          id: id(before, "folder/old.bin"),
          visibility: "private",
        }),
      after: (before) => withVisibility(before, "folder/old.bin", "private"),
    },
    {
      run: (server, before) =>
        api(server).json("DELETE", "/api/files", { id: id(before, "folder/old.bin") }),
      after: (before) => withoutFiles(before, ["folder/old.bin"]),
    },
  ];
  const step = all[number % all.length];
  if (step === undefined) throw new RangeError("No such step.");
  return step;
}

async function fillOnce(
  server: ServerProcess,
  from: Inventory,
  write: number,
): Promise<{ inventory: Inventory; findings: Findings }> {
  let inventory = from;
  let number = 0;
  const trace = await attachTracer(
    server.pid,
    errorInjectionArgs({
      calls: ["pwrite64"],
      path: join(server.dataPath, "catalog.sqlite-wal"),
      error: "ENOSPC",
      from: write,
      every: 1,
    }),
  );
  try {
    for (;;) {
      const answer = await stepOf(number).run(server, inventory);
      if (answer.status !== 200) {
        expectFault(answer, 507);
        break;
      }
      inventory = stepOf(number).after(inventory, answer);
      number += 1;
      if (number > MAX_CHANGES) throw new Error("No change was refused.");
    }
    const whileFull = compare(inventory, await readInventory(server));
    await trace.detach();
    // With space again, the refused change and the rest of the cycle must work.
    do {
      inventory = stepOf(number).after(inventory, await stepOf(number).run(server, inventory));
      number += 1;
    } while (number % 4 !== 0);
    const after = compare(inventory, await readInventory(server));
    const findings = {
      lost: [...whileFull.lost, ...after.lost],
      extra: [...whileFull.extra, ...after.extra],
      leftovers: [],
    };
    return { inventory, findings };
  } finally {
    await trace.detach();
  }
}
