import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { needTool } from "../tools.ts";
import type { Trial } from "../trial.ts";
import { killRequests } from "./kill-requests.ts";
import { killStarts } from "./kill-starts.ts";
import { killStop } from "./kill-stop.ts";
import { makeSeed } from "./seed.ts";
import { makeStarts } from "./start-seeds.ts";

/** kill -9 at every system call that changes a file: all or nothing, and nothing left behind. */
export const kill: Trial = {
  name: "kill",
  async run(scale) {
    needTool("strace");
    const folder = temporaryFolder();
    try {
      const seed = await makeSeed(folder);
      return [
        ...(await killStarts(await makeStarts(folder, seed), scale)),
        await killStop(seed, scale),
        ...(await killRequests(seed, scale)),
      ];
    } finally {
      removeFolder(folder);
    }
  },
};
