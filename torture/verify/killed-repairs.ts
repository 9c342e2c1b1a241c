import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { between } from "../dice.ts";
import type { Row, Scale } from "../trial.ts";
import { lose, putForeign, settledFiles } from "./injuries.ts";
import { runVerify, startVerify } from "./run-verify.ts";

/** Of each kind, for one repair: more than are repaired together. */
const FEW = 12;

/** `--repair` of a stopped instance, killed at any moment: nothing is lost, the next finishes. */
export async function killedRepairs(dataPath: string, scale: Scale): Promise<Row> {
  const tries = scale.tries(40, 5);
  const problems: string[] = [];
  let cut = 0;
  let lost = 0;
  let leftovers = 0;
  let usual = 1000;
  for (let round = 0; round < tries; round += 1) {
    const missing = settledFiles(dataPath).slice(0, FEW);
    for (const { place } of missing) lose(dataPath, place);
    const foreign = putForeign(dataPath, FEW, []);

    const from = performance.now();
    const repair = startVerify(dataPath, "--repair");
    // From before the first change to after the last.
    const timer = setTimeout(() => repair.kill("SIGKILL"), between(usual / 4, usual * 1.1));
    await repair.exited;
    clearTimeout(timer);
    if (repair.signalCode === "SIGKILL") cut += 1;
    else usual = performance.now() - from;

    const gone = [
      ...lostBytes(dataPath, foreign).map((place) => `${place} is neither here nor there.`),
      ...lostRecords(dataPath, missing).map((id) => `The record ${id} is neither here nor there.`),
    ];
    const next = await runVerify(dataPath, "--repair");
    gone.push(...lostBytes(dataPath, foreign), ...lostRecords(dataPath, missing));
    const last = await runVerify(dataPath);
    if (next.code > 1) problems.push(`Round ${round}: the next repair: ${next.errors}`);
    if (last.code !== 0) problems.push(`Round ${round}: then: ${JSON.stringify(last.told)}`);
    lost += gone.length;
    leftovers += last.told.length - 1;
    problems.push(...gone.map((text) => `Round ${round}: ${text}`));
  }
  return {
    ...{ fault: "--repair killed at any moment", tries, lost, leftovers },
    problems: problems.slice(0, 20),
    note: `${cut} cut before their end`,
  };
}

function quarantines(dataPath: string): string[] {
  const folder = join(dataPath, "quarantine");
  return existsSync(folder) ? readdirSync(folder).map((time) => join(folder, time)) : [];
}

/** Foreign things that are no more whole in the store or in a quarantine. */
function lostBytes(dataPath: string, foreign: ReadonlyMap<string, string>): string[] {
  const stores = [dataPath, ...quarantines(dataPath)].map((folder) => join(folder, "blobs"));
  return [...foreign].flatMap(([place, text]) => {
    const paths = stores.map((store) => join(store, place)).filter((path) => existsSync(path));
    return paths.some((path) => readFileSync(path, "utf8") === text) ? [] : [place];
  });
}

/** Records that are neither in the catalog nor whole in a quarantine. */
function lostRecords(dataPath: string, missing: readonly { id: string }[]): string[] {
  const there = new Set(settledFiles(dataPath).map(({ id }) => id));
  const kept = quarantines(dataPath).map((folder) => {
    const path = join(folder, "records.jsonl");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  });
  const isKept = (id: string): boolean =>
    kept.some((text) => text.split("\n").some((line) => line.includes(id) && line.endsWith("}")));
  return missing.map(({ id }) => id).filter((id) => !there.has(id) && !isKept(id));
}
