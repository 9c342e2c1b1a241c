import { fuzzMultipartParser } from "../../test/hostile/fuzz-multipart-parser.ts";
import { residentMemory } from "../process-state.ts";

/*
 * Parses mutated forms: `fuzz-parser.ts TRIES`. A process of its own, so that its memory is the
 * parser's. Prints a `FuzzedForms` as JSON at the end.
 */

export interface FuzzedForms {
  readonly read: number;
  readonly rejected: number;
  readonly problems: readonly string[];
  readonly slowestMs: number;
  /** In MB, after a tenth of the forms, and at the end. */
  readonly memoryWarm: number;
  readonly memory: number;
}

const PROGRESS_TRIES = 100_000;
const MAX_PROBLEMS = 10;

async function main(wanted: number): Promise<void> {
  const count = { read: 0, rejected: 0, broken: 0 };
  const problems: string[] = [];
  let slowestMs = 0;
  let memoryWarm = 0;
  let tries = 0;
  while (tries < wanted && problems.length < MAX_PROBLEMS) {
    const start = performance.now();
    const { outcome, problem } = await fuzzMultipartParser(tries);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    count[outcome] += 1;
    if (problem !== "") problems.push(`Seed ${tries}: ${problem}`);
    tries += 1;
    if (tries === Math.ceil(wanted / 10)) memoryWarm = residentMemory(process.pid);
    if (tries % PROGRESS_TRIES === 0) console.error(`forms: ${tries} forms`);
  }
  const memory = residentMemory(process.pid);
  const { read, rejected } = count;
  const forms: FuzzedForms = { read, rejected, problems, slowestMs, memoryWarm, memory };
  console.log(JSON.stringify(forms));
}

if (import.meta.main) await main(Number(process.argv[2]));
