import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { api } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { mutatedForm } from "../../test/hostile/mutated-form.ts";
import { createSeededRandom } from "../../test/hostile/seeded-random.ts";
import { uploadForm } from "../../test/hostile/upload-form.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { residentMemory } from "../process-state.ts";
import { startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";
import type { FuzzedForms } from "./fuzz-parser.ts";

/** Fuzzes multipart forms: first the parser in a process of its own, then uploads to a server. */
export const forms: Trial = {
  name: "forms",
  run: async (scale) => [await fuzzParser(scale), await fuzzUploads(scale)],
};

const MAX_GROWTH_MB = 150;
const MAX_MS = 5_000;

async function fuzzParser(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 20_000);
  const script = new URL("fuzz-parser.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, script, `${tries}`], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("The parser has crashed.");
  const forms: FuzzedForms = JSON.parse(output);
  const { read, rejected, slowestMs, memoryWarm, memory } = forms;
  const problems = [...forms.problems];
  if (memory > memoryWarm + MAX_GROWTH_MB)
    problems.push(`Memory grew from ${memoryWarm} to ${memory} MB.`);
  if (slowestMs > MAX_MS) problems.push(`One form took ${Math.round(slowestMs)} ms.`);
  const note = `${read} read, ${rejected} rejected; slowest ${Math.round(slowestMs)} ms; memory ${Math.round(memoryWarm)} → ${Math.round(memory)} MB`;
  return { fault: "fuzzed forms, parser only", tries, lost: 0, leftovers: 0, problems, note };
}

async function fuzzUploads(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 1_000);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  const problems: string[] = [];
  const statuses = new Map<number, number>();
  let memoryWarm = 0;
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
      if (at === Math.floor(tries / 10)) memoryWarm = residentMemory(server.pid);
      if (at % 100_000 === 99_999) scale.progress(`${at + 1} uploads`);
    });
    const leftovers = await waitForNoLeftovers(server.dataPath);
    const stored = (await api(server).list()).length;
    const memory = residentMemory(server.pid);
    if (memory > memoryWarm + MAX_GROWTH_MB)
      problems.push(`Memory grew from ${memoryWarm} to ${memory} MB.`);
    if (server.output().includes("Unexpected server error"))
      problems.push("The server logged an unexpected error.");
    const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    return {
      fault: "fuzzed forms, uploads",
      tries,
      lost: 0,
      leftovers: leftovers.length,
      problems: [...problems.slice(0, 10), ...leftovers.slice(0, 10)],
      note: `${counts}; ${stored} files; memory ${Math.round(memoryWarm)} → ${Math.round(memory)} MB`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}
