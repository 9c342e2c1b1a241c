import type { Row, Scale, Trial } from "../trial.ts";
import { type Counts, runLane } from "./lane.ts";

/**
 * Tests serializability over HTTP: uploads, renames, moves, deletions and visibility changes, two
 * or three at once. Some serial order must explain the responses and the resulting tree, and
 * catalog, disk and deliveries must agree after each run.
 */
export const interleavings: Trial = { name: "interleavings", run };

/** Servers at once; a single one mostly waits for its disk. */
const LANES = 6;

async function run(scale: Scale): Promise<Row[]> {
  const tries = scale.tries(10_000, 300);
  const counts: Counts = {
    tried: 0,
    batches: 0,
    reordered: 0,
    refusals: 0,
    lost: 0,
    leftovers: 0,
    problems: [],
  };
  const timer = setInterval(() => scale.progress(`${counts.tried} of ${tries}`), 20_000);
  const lanes = Array.from({ length: LANES }, () => runLane(Math.ceil(tries / LANES), counts));
  await Promise.all(lanes).finally(() => clearInterval(timer));
  const { tried, lost, leftovers, problems, batches, reordered, refusals } = counts;
  const note = `${batches} batches, ${reordered} in another order than sent; ${refusals} refusals`;
  return [{ fault: "random interleavings", tries: tried, lost, leftovers, problems, note }];
}
