import type { Trial } from "../trial.ts";
import { killWriters } from "./kill-writers.ts";

/** The change feed alone gives the tree, whatever happens to the server. */
export const changes: Trial = {
  name: "changes",
  run: async (scale) => [await killWriters(scale)],
};
