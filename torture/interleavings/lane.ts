import { join } from "node:path";
import fc from "fast-check";
import { api, send } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { leftovers, leftoversAfterStop } from "../leftovers.ts";
import { startVictim, type Victim } from "../server.ts";
import { checksumOf } from "./act.ts";
import { type CatalogEye, openCatalogEye } from "./catalog-eye.ts";
import { explain, type Witnessed } from "./explain.ts";
import { perform } from "./perform.ts";
import { actOf, aPlan } from "./plan.ts";
import { keyOf, picture, rootOf, type Tree } from "./tree.ts";

/** How long bytes may outlive their record, on a busy machine. */
const SETTLE_MS = 8_000;

export interface Counts {
  tried: number;
  batches: number;
  /** Batches that only another order than that of sending explains. */
  reordered: number;
  refusals: number;
  lost: number;
  leftovers: number;
  readonly problems: string[];
}

/** Makes so many random runs against a server of their own, up to the first that goes wrong. */
export async function runLane(runs: number, counts: Counts): Promise<void> {
  const folder = temporaryFolder();
  const server = await startVictim(join(folder, "data"));
  try {
    const eye = openCatalogEye(server.dataPath);
    const property = fc.asyncProperty(aPlan, async (plan) => {
      counts.tried += 1;
      for (const steps of plan) await batch(server, eye, steps, counts);
      await compareBytes(server, eye.tree(), counts);
      await settle(server, counts);
      await clear(server, eye);
    });
    // Shrinking is no use: the same plan need not meet the same order again.
    const result = await fc.check(property, { numRuns: runs, endOnFailure: true });
    if (result.failed) {
      const { seed, counterexamplePath, errorInstance } = result;
      const what = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
      counts.problems.push(`${what}\n(seed ${seed}, path ${counterexamplePath})`);
    }
    eye.close();
    await server.stop();
    const rest = leftoversAfterStop(server.dataPath);
    counts.leftovers += rest.length;
    counts.problems.push(...rest);
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

/** Sends the steps at once and holds what came of them to some order. */
async function batch(
  server: Victim,
  eye: CatalogEye,
  steps: Parameters<typeof actOf>[0][],
  counts: Counts,
): Promise<void> {
  const before = eye.tree();
  const acts = steps.flatMap((step) => actOf(step, before) ?? []);
  const witnessed = await Promise.all(
    acts.map(async (act): Promise<Witnessed> => ({ act, told: await perform(server, act) })),
  );
  const after = eye.tree();
  const order = explain(before, witnessed, after);
  counts.batches += 1;
  counts.refusals += witnessed.filter(({ told }) => told.status !== 200).length;
  if (order === undefined) {
    const lines = witnessed.map((one) => JSON.stringify(one)).join("\n");
    throw new Error(
      `No order explains what came of\n${lines}\nfrom\n${picture(before)}\nto\n${picture(after)}`,
    );
  }
  if (order.some((one, index) => one !== witnessed[index])) counts.reordered += 1;
}

/** Every file is delivered with the bytes that were uploaded. */
async function compareBytes(server: Victim, tree: Tree, counts: Counts): Promise<void> {
  const listed = await api(server).list();
  const files = [...tree].filter(([, node]) => node.kind === "file");
  const wrong: string[] = [];
  if (listed.length !== files.length) {
    wrong.push(`${listed.length} files are listed, of ${files.length}.`);
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
      if (!isRight) wrong.push(`${key} (${id}) comes as ${answer.status} ${answer.text}.`);
    }),
  );
  counts.lost += wrong.length;
  if (wrong.length > 0) throw new Error(`${wrong.join(" ")}\nin\n${picture(tree)}`);
}

/** No bytes without a record and no record without bytes, once what was deleted has gone. */
async function settle(server: Victim, counts: Counts): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const found = leftovers(server.dataPath);
    if (found.length === 0) return;
    if (performance.now() > until) {
      counts.leftovers += found.length;
      throw new Error(found.join(" "));
    }
    await Bun.sleep(2);
  }
}

/** Empties the server for the next run. */
async function clear(server: Victim, eye: CatalogEye): Promise<void> {
  const tree = eye.tree();
  const root = rootOf(tree);
  const top = [...tree].filter(([, { parent }]) => parent === root);
  const files = top.filter(([, { kind }]) => kind === "file").map(([id]) => id);
  if (files.length > 0) await perform(server, { do: "delete files", ids: files });
  for (const [id, { kind }] of top) {
    if (kind === "folder") await perform(server, { do: "delete folder", id });
  }
}
