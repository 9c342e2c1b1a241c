import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { randomInt } from "../random.ts";
import type { Row, Scale } from "../trial.ts";
import { addForeignFiles, deleteBlob, filesOutsideLeases } from "./damage.ts";
import { runVerify, startVerify } from "./run-verify.ts";

/** Per repair. */
const MISSING = 12;
/** Several batches of a repair. */
const FOREIGN = 400;

/**
 * Kills `--repair` of a stopped instance at random moments: nothing is lost, and the next repair
 * completes it.
 */
export async function killedRepairs(dataPath: string, scale: Scale): Promise<Row> {
  const tries = scale.tries(40, 5);
  const problems: string[] = [];
  let cut = 0;
  let lost = 0;
  let leftovers = 0;
  let fullMs = 0;
  for (let round = 0; round <= tries; round += 1) {
    const missing = filesOutsideLeases(dataPath).slice(0, MISSING);
    for (const { place } of missing) deleteBlob(dataPath, place);
    const foreign = addForeignFiles(dataPath, FOREIGN, []);

    const repair = startVerify(dataPath, "--repair");
    const from = await firstMove(dataPath, repair.exited);
    // The first one runs to its end and gives the duration; the others are killed within it.
    if (round > 0) {
      await Promise.race([Bun.sleep(randomInt(0, fullMs)), repair.exited]);
      repair.kill("SIGKILL");
    }
    await repair.exited;
    if (round === 0) fullMs = performance.now() - from;
    const left = [...foreign.keys()].filter((place) => existsSync(join(dataPath, "blobs", place)));
    if (left.length > 0 && left.length < foreign.size) cut += 1;

    const gone = [
      ...lostBytes(dataPath, foreign).map(
        (place) => `${place} is neither in the store nor in quarantine.`,
      ),
      ...lostRecords(dataPath, missing).map(
        (id) => `The record ${id} is neither in the store nor in quarantine.`,
      ),
    ];
    const next = await runVerify(dataPath, "--repair");
    gone.push(...lostBytes(dataPath, foreign), ...lostRecords(dataPath, missing));
    const last = await runVerify(dataPath);
    if (next.code > 1) problems.push(`Round ${round}: the next repair: ${next.errors}`);
    if (last.code !== 0) problems.push(`Round ${round}: afterwards: ${JSON.stringify(last.lines)}`);
    lost += gone.length;
    leftovers += last.lines.length - 1;
    problems.push(...gone.map((text) => `Round ${round}: ${text}`));
  }
  return {
    fault: "--repair killed at any moment",
    tries,
    lost,
    leftovers,
    problems: problems.slice(0, 20),
    note: `${cut} killed while blobs were moved`,
  };
}

/** Resolves with the time when a repair creates its quarantine or exits without one. */
async function firstMove(dataPath: string, exited: Promise<unknown>): Promise<number> {
  const before = quarantines(dataPath).length;
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  while (!hasExited && quarantines(dataPath).length === before) await Bun.sleep(1);
  return performance.now();
}

function quarantines(dataPath: string): string[] {
  const folder = join(dataPath, "quarantine");
  return existsSync(folder) ? readdirSync(folder).map((time) => join(folder, time)) : [];
}

/** Foreign files that are complete neither in the store nor in a quarantine. */
function lostBytes(dataPath: string, foreign: ReadonlyMap<string, string>): string[] {
  const stores = [dataPath, ...quarantines(dataPath)].map((folder) => join(folder, "blobs"));
  return [...foreign].flatMap(([place, text]) => {
    const paths = stores.map((store) => join(store, place)).filter((path) => existsSync(path));
    return paths.some((path) => readFileSync(path, "utf8") === text) ? [] : [place];
  });
}

/** Records that are neither in the catalog nor complete in a quarantine. */
function lostRecords(dataPath: string, missing: readonly { id: string }[]): string[] {
  const there = new Set(filesOutsideLeases(dataPath).map(({ id }) => id));
  const kept = quarantines(dataPath).map((folder) => {
    const path = join(folder, "records.jsonl");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  });
  const isKept = (id: string): boolean =>
    kept.some((text) => text.split("\n").some((line) => line.includes(id) && line.endsWith("}")));
  return missing.map(({ id }) => id).filter((id) => !there.has(id) && !isKept(id));
}
