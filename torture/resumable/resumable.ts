import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { requireRoot, requireTool } from "../require-tool.ts";
import type { Trial } from "../trial.ts";
import { cutConnections } from "./cut-connections.ts";
import { failUploadPoints } from "./fail-upload-points.ts";
import { fillCatalogDuringUploads } from "./fill-catalog-during-uploads.ts";
import { fillDuringUploads } from "./fill-during-uploads.ts";
import { killUploads } from "./kill-uploads.ts";
import { makeUploadSeed } from "./seed.ts";

/**
 * Faults during resumable uploads: clients never send acknowledged bytes again, no part of a file is
 * visible, an upload is called complete only with its file, and expiry leaves nothing.
 */
export const resumable: Trial = {
  name: "resumable",
  async run(scale) {
    requireRoot();
    requireTool("strace");
    const folder = temporaryFolder();
    try {
      const seed = await makeUploadSeed(folder);
      return [
        await cutConnections(scale),
        await fillDuringUploads(scale),
        await fillCatalogDuringUploads(scale),
        ...(await failUploadPoints(seed, scale)),
        ...(await killUploads(seed, scale)),
      ];
    } finally {
      removeFolder(folder);
    }
  },
};
