import { failingSteps } from "../failing-steps.ts";
import { requireRoot, requireTool } from "../require-tool.ts";
import type { Trial } from "../trial.ts";
import { fillCatalog } from "./fill-catalog.ts";
import { fillData } from "./fill-data.ts";
import { fillVolume } from "./fill-volume.ts";

/**
 * No space for blobs, for the catalog, or for anything: uploads get 507, and the server recovers by
 * itself.
 */
export const fullDisk: Trial = {
  name: "full-disk",
  async run(scale) {
    requireTool("strace");
    requireRoot();
    return [
      await failingSteps("disk full, each step", "ENOSPC", 507),
      await fillData(scale),
      await fillCatalog(scale),
      await fillVolume(scale),
    ];
  },
};
