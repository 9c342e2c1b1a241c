import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { requireTool } from "../require-tool.ts";
import type { Trial } from "../trial.ts";
import { killRequests } from "./kill-requests.ts";
import { killStarts } from "./kill-starts.ts";
import { killStop } from "./kill-stop.ts";
import { makeSeed } from "./seed.ts";
import { makeStarts } from "./start-seeds.ts";

/** Minimum number of kills of a full run. */
const MIN_POINTS = 300;

/** kill -9 at every system call that changes a file: all or nothing, and no leftovers. */
export const kill: Trial = {
  name: "kill",
  async run(scale) {
    requireTool("strace");
    const folder = temporaryFolder();
    try {
      const seed = await makeSeed(folder);
      const rows = [
        ...(await killStarts(await makeStarts(folder, seed), scale)),
        await killStop(seed, scale),
        ...(await killRequests(seed, scale)),
      ];
      const hits = rows.reduce((sum, { tries }) => sum + tries, 0);
      const wanted = scale.tries(MIN_POINTS, rows.length);
      if (hits >= wanted) return rows;
      const problems = [`Only ${hits} points were hit; at least ${wanted} are required.`];
      return [...rows, { fault: "kill -9, in all", tries: hits, lost: 0, leftovers: 0, problems }];
    } finally {
      removeFolder(folder);
    }
  },
};
