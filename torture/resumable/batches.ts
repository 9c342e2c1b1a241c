import type { Trial } from "../trial.ts";
import { interruptBatch } from "./interrupted-batch.ts";
import { killCommits } from "./kill-commits.ts";

/** Batches of many files: all appear at once, or none. */
export const batches: Trial = {
  name: "batches",
  run: async (scale) => [await interruptBatch(scale), await killCommits(scale)],
};
