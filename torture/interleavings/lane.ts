import { join } from "node:path";
import fc from "fast-check";
import { api, send } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { findLeftovers, findLeftoversAfterStop } from "../leftovers.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { type CatalogReader, openCatalogReader } from "./catalog-reader.ts";
import { findSerialOrder, type Observed } from "./find-serial-order.ts";
import { checksumOf } from "./operation.ts";
import { perform } from "./perform.ts";
import { operationOf, plans } from "./plan.ts";
import { formatTree, keyOf, rootOf, type Tree } from "./tree.ts";

/** How long the removal of blobs may take on a busy machine: less than the 20 s between two sweeps. */
const CLEANUP_TIMEOUT_MS = 15_000;

export interface Counts {
  tried: number;
  batches: number;
  /** Batches whose serial order differs from the order of sending. */
  reordered: number;
  refusals: number;
  lost: number;
  leftovers: number;
  readonly problems: string[];
}

/** Starts a server and makes this many random runs against it, up to the first failure. */
export async function runLane(runs: number, counts: Counts): Promise<void> {
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  try {
    const catalog = openCatalogReader(server.dataPath);
    const property = fc.asyncProperty(plans, async (plan) => {
      counts.tried += 1;
      for (const steps of plan) await runBatch(server, catalog, steps, counts);
      await checkDeliveries(server, catalog.tree(), counts);
      await waitForCleanup(server, counts);
      await deleteEverything(server, catalog);
    });
    // No shrinking: the same plan need not run in the same order again.
    const result = await fc.check(property, { numRuns: runs, endOnFailure: true });
    if (result.failed) {
      const { seed, counterexamplePath, errorInstance } = result;
      const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      counts.problems.push(`${what}\n(seed ${seed}, path ${counterexamplePath})`);
    }
    catalog.close();
    await server.stop();
    const rest = findLeftoversAfterStop(server.dataPath);
    counts.leftovers += rest.length;
    counts.problems.push(...rest);
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

/** Sends the steps concurrently and checks that some serial order explains the outcomes. */
async function runBatch(
  server: ServerProcess,
  catalog: CatalogReader,
  steps: Parameters<typeof operationOf>[0][],
  counts: Counts,
): Promise<void> {
  const before = catalog.tree();
  const operations = steps.flatMap((step) => operationOf(step, before) ?? []);
  const observed = await Promise.all(
    operations.map(
      async (operation): Promise<Observed> => ({
        operation,
        outcome: await perform(server, operation),
      }),
    ),
  );
  const after = catalog.tree();
  const order = findSerialOrder(before, observed, after);
  counts.batches += 1;
  counts.refusals += observed.filter(({ outcome }) => outcome.status !== 200).length;
  if (order === undefined) {
    const lines = observed.map((one) => JSON.stringify(one)).join("\n");
    throw new Error(
      `No serial order explains\n${lines}\nfrom\n${formatTree(before)}\nto\n${formatTree(after)}`,
    );
  }
  if (order.some((one, index) => one !== observed[index])) counts.reordered += 1;
}

/** Checks that every file is delivered with the uploaded bytes. */
async function checkDeliveries(server: ServerProcess, tree: Tree, counts: Counts): Promise<void> {
  const listed = await api(server).list();
  const files = [...tree].filter(([, node]) => node.kind === "file");
  const wrong: string[] = [];
  if (listed.length !== files.length) {
    wrong.push(`The list has ${listed.length} of ${files.length} files.`);
  }
  await Promise.all(
    listed.map(async ({ id, key, url, visibility }) => {
      const node = tree.get(id);
      const answer = await send(server, "GET", `/${url}`, { "API-Key": server.apiKey });
      const isRight =
        node?.kind === "file" &&
        key === keyOf(tree, id) &&
        visibility === node.visibility &&
        answer.status === 200 &&
        checksumOf(answer.text) === node.content;
      if (!isRight) wrong.push(`${key} (${id}) is delivered as ${answer.status} ${answer.text}.`);
    }),
  );
  counts.lost += wrong.length;
  if (wrong.length > 0) throw new Error(`${wrong.join(" ")}\nin\n${formatTree(tree)}`);
}

/**
 * Waits until all deletions are done; then no blob is without a record and no record without a
 * blob.
 */
async function waitForCleanup(server: ServerProcess, counts: Counts): Promise<void> {
  const until = performance.now() + CLEANUP_TIMEOUT_MS;
  for (;;) {
    const found = findLeftovers(server.dataPath);
    if (found.length === 0) return;
    if (performance.now() > until) {
      counts.leftovers += found.length;
      throw new Error(found.join(" "));
    }
    await Bun.sleep(2);
  }
}

/** Deletes everything, for the next run. */
async function deleteEverything(server: ServerProcess, catalog: CatalogReader): Promise<void> {
  const tree = catalog.tree();
  const root = rootOf(tree);
  const top = [...tree].filter(([, { parent }]) => parent === root);
  const files = top.filter(([, { kind }]) => kind === "file").map(([id]) => id);
  if (files.length > 0) await perform(server, { do: "delete files", ids: files });
  for (const [id, { kind }] of top) {
    if (kind === "folder") await perform(server, { do: "delete folder", id });
  }
}
