import { join } from "node:path";
import { forEachConcurrently } from "../../server/rules/for-each-concurrently.ts";
import { api } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { fuzzMultipartParser } from "../../test/hostile/fuzz-multipart-parser.ts";
import { mutatedForm } from "../../test/hostile/mutated-form.ts";
import { createSeededRandom } from "../../test/hostile/seeded-random.ts";
import { uploadForm } from "../../test/hostile/upload-form.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { residentMemory } from "../process-state.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Fuzzes the multipart parser alone and with uploads. */
export const forms: Trial = {
  name: "forms",
  run: async (scale) => [await inProcess(scale), await overTheWire(scale)],
};

async function inProcess(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 20_000);
  const count = { read: 0, refused: 0, broken: 0 };
  const problems: string[] = [];
  let slowest = 0;
  let settled = 0;
  for (let seed = 0; seed < tries && problems.length < 10; seed += 1) {
    const from = performance.now();
    const { outcome, problem } = await fuzzMultipartParser(seed);
    slowest = Math.max(slowest, performance.now() - from);
    count[outcome] += 1;
    if (problem !== "") problems.push(`Seed ${seed}: ${problem}`);
    if (seed === Math.floor(tries / 10)) settled = residentMemory(process.pid);
    if (seed % 100_000 === 99_999) scale.progress(`${seed + 1} forms`);
  }
  const resident = residentMemory(process.pid);
  if (resident > settled + 150) problems.push(`Memory grew from ${settled} to ${resident} MB.`);
  if (slowest > 5_000) problems.push(`One form took ${Math.round(slowest)} ms.`);
  const note = `${count.read} read, ${count.refused} refused; slowest ${Math.round(slowest)} ms; memory ${Math.round(settled)} → ${Math.round(resident)} MB`;
  return { fault: "mutated forms to the parser", tries, lost: 0, leftovers: 0, problems, note };
}

async function overTheWire(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 1_000);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const problems: string[] = [];
  const statuses = new Map<number, number>();
  let settled = 0;
  try {
    await forEachConcurrently(Array(tries).keys(), 8, async (at) => {
      const seed = 2_000_000 + at;
      try {
        const { status } = await uploadForm(server, mutatedForm(createSeededRandom(seed)));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (![200, 400, 409, 413].includes(status)) problems.push(`Seed ${seed}: ${status}`);
      } catch (error) {
        problems.push(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (at === Math.floor(tries / 10)) settled = residentMemory(server.pid);
      if (at % 100_000 === 99_999) scale.progress(`${at + 1} uploads`);
    });
    const left = await waitForNoLeftovers(server.dataPath);
    const stored = (await api(server).list()).length;
    const resident = residentMemory(server.pid);
    if (resident > settled + 150) problems.push(`Memory grew from ${settled} to ${resident} MB.`);
    if (server.output().includes("Unexpected server error")) problems.push("An unexpected error.");
    const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    return {
      fault: "mutated forms as uploads",
      tries,
      lost: 0,
      leftovers: left.length,
      problems: [...problems.slice(0, 10), ...left.slice(0, 10)],
      note: `${told}; ${stored} files; memory ${Math.round(settled)} → ${Math.round(resident)} MB`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}
