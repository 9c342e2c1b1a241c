import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { requireTool } from "../require-tool.ts";
import type { Trial } from "../trial.ts";
import { killS3Requests } from "./kill-s3-requests.ts";
import { raceCompletes } from "./race-completes.ts";
import { raceConditions } from "./race-conditions.ts";
import { raceParts } from "./race-parts.ts";
import { makeS3Seed } from "./s3-seed.ts";

/** The S3 API under kill -9 and in races: all or nothing, one winner, and no leftovers. */
export const s3Api: Trial = {
  name: "s3-api",
  async run(scale) {
    requireTool("strace");
    const folder = temporaryFolder();
    try {
      const seed = await makeS3Seed(folder);
      return [
        await raceConditions(scale),
        await raceCompletes(scale),
        await raceParts(scale),
        ...(await killS3Requests(seed, scale)),
      ];
    } finally {
      removeFolder(folder);
    }
  },
};
