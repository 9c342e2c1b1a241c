import { join } from "node:path";
import type { Answer } from "../../test/answer.ts";
import { api } from "../../test/client.ts";
import { expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
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
 * The volume of the catalog is full from its n-th write on, for the first 200: changes are made
 * until one is refused, and that one is made again once there is room.
 */
export async function fillCatalog(scale: Scale): Promise<Row> {
  const tally = createResultCounter("disk full, catalog");
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  let server = await startServer(dataPath);
  let holdings = emptyInventory;
  try {
    for (const write of sampleEvenly([...Array(WRITES).keys()], scale.tries(WRITES, 10))) {
      const what = `full from write ${write + 1} on`;
      try {
        const outcome = await fillOnce(server, holdings, write + 1);
        holdings = outcome.holdings;
        tally.count(what, outcome.findings);
      } catch (error) {
        tally.problem(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
    // Bytes whose note could not be written are left to the next sweep.
    const leftovers = await waitForNoLeftovers(dataPath, NEXT_SWEEP_MS);
    tally.count("once there is room", { lost: [], extra: [], leftovers });
    await server.kill();
    server = await startServer(dataPath);
    tally.count("after a new start", await checkServer(server, holdings));
    return tally.row();
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

interface Step {
  run(server: ServerProcess, before: Inventory): Promise<Answer>;
  after(before: Inventory, answer: Answer): Inventory;
}

/** Changes of every kind, over and over; none leaves anything for long. */
function stepOf(number: number): Step {
  const id = (holdings: Inventory, key: string) => holdings.files.get(key)?.id ?? "";
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
): Promise<{ holdings: Inventory; findings: Findings }> {
  let holdings = from;
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
      const answer = await stepOf(number).run(server, holdings);
      if (answer.status !== 200) {
        expectFault(answer, 507);
        break;
      }
      holdings = stepOf(number).after(holdings, answer);
      number += 1;
      if (number > MAX_CHANGES) throw new Error("Nothing was refused.");
    }
    const whileFull = compare(holdings, await readInventory(server));
    await trace.detach();
    // There is room again: what was refused works now, and so does all that is left of the round.
    do {
      holdings = stepOf(number).after(holdings, await stepOf(number).run(server, holdings));
      number += 1;
    } while (number % 4 !== 0);
    const after = compare(holdings, await readInventory(server));
    const findings = {
      lost: [...whileFull.lost, ...after.lost],
      extra: [...whileFull.extra, ...after.extra],
      leftovers: [],
    };
    return { holdings, findings };
  } finally {
    await trace.detach();
  }
}
