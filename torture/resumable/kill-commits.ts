import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { checkServer, type Findings } from "../check-server.ts";
import { emptyInventory } from "../inventory.ts";
import { withCopy } from "../kill/seed.ts";
import { randomInt } from "../random.ts";
import { createResultCounter } from "../result-counter.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { inventoryOf, makeSite, type Site } from "./site.ts";
import { addMembers, commitBatch, createBatch, parseBatch, readBatch } from "./upload-client.ts";

const FILES_PER_FOLDER = 20;

/** kill -9 at a random moment of the commit of a large batch: all files are visible, or none. */
export async function killCommits(scale: Scale): Promise<Row> {
  const site = makeSite("site", scale.tries(500, 10), FILES_PER_FOLDER);
  const results = createResultCounter(`kill -9 during the commit of ${site.files} files`);
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  let committed = 0;
  try {
    const batch = await makeBatch(dataPath, site);
    const commitMs = await withCopy(dataPath, (copy) => timeCommit(copy, batch));
    const tries = scale.tries(20, 1);
    for (let at = 1; at <= tries; at += 1) {
      const delay = randomInt(0, Math.ceil(commitMs * 1.1) + 1);
      const what = `killed after ${delay} of ${Math.round(commitMs)} ms`;
      const isCommitted = await withCopy(dataPath, async (copy) => {
        const isAnswered = await killDuringCommit(copy, batch, delay);
        const outcome = await checkCommit(copy, batch, site, isAnswered);
        for (const problem of outcome.problems) results.problem(`${what}: ${problem}`);
        results.count(what, outcome.findings);
        return outcome.isCommitted;
      });
      if (isCommitted) committed += 1;
      if (at % 5 === 0) scale.progress(`${at} commits killed`);
    }
    return results.row(
      `${committed} were committed; an undisturbed commit took ${Math.round(commitMs)} ms`,
    );
  } finally {
    removeFolder(folder);
  }
}

/** Creates the data folder of a stopped server with a batch of the whole site. Returns its path. */
async function makeBatch(dataPath: string, { root, folders }: Site): Promise<string> {
  const server = await startServer(dataPath);
  try {
    const batch = await createBatch(server, root);
    for (const [inner, members] of folders) {
      const { status, text } = await addMembers(server, batch, inner, members);
      if (status !== 200) throw new Error(`${inner}: ${status} ${text}`);
    }
    await server.stop();
    return batch;
  } finally {
    await server.kill();
  }
}

/** In milliseconds. */
async function timeCommit(dataPath: string, batch: string): Promise<number> {
  const server = await startServer(dataPath);
  try {
    const from = performance.now();
    parseBatch(await commitBatch(server, batch));
    return performance.now() - from;
  } finally {
    await server.kill();
  }
}

/** Returns whether the commit was acknowledged. */
async function killDuringCommit(dataPath: string, batch: string, delay: number): Promise<boolean> {
  const server = await startServer(dataPath);
  try {
    const answer = commitBatch(server, batch).then(
      ({ status }) => status === 200,
      () => false,
    );
    await Bun.sleep(delay);
    await server.kill();
    return await answer;
  } finally {
    await server.kill();
  }
}

/** After the kill: all or nothing is visible, and the commit can be repeated. */
async function checkCommit(dataPath: string, batch: string, site: Site, isAnswered: boolean) {
  const server = await startServer(dataPath);
  const problems: string[] = [];
  try {
    const { state } = await readBatch(server, batch);
    const isCommitted = state === "committed";
    if (isAnswered && !isCommitted) problems.push("An acknowledged commit is undone.");
    const all = inventoryOf(site);
    const found = await checkServer(server, isCommitted ? all : emptyInventory);
    const again = parseBatch(await commitBatch(server, batch));
    if (again.result?.added !== site.files) problems.push(`Repeated: ${JSON.stringify(again)}.`);
    const findings = isCommitted ? found : add(found, await checkServer(server, all));
    return { isCommitted, findings, problems };
  } finally {
    await server.kill();
  }
}

const add = (first: Findings, second: Findings): Findings => ({
  lost: [...first.lost, ...second.lost],
  extra: [...first.extra, ...second.extra],
  leftovers: [...first.leftovers, ...second.leftovers],
});
