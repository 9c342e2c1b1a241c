import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { startSecond } from "./start-second.ts";
import { stopUnderLoad } from "./stop-under-load.ts";
import type { Trial } from "./trial.ts";

/** A data folder has one server at a time, and the server stops cleanly under load. */
export const oneServer: Trial = {
  name: "one-server",
  async run(scale) {
    const folder = temporaryFolder();
    try {
      const rounds = scale.tries(20, 3);
      const second = await startSecond(join(folder, "second"), rounds);
      return [second, await stopUnderLoad(join(folder, "stop"), rounds, scale.progress)];
    } finally {
      removeFolder(folder);
    }
  },
};
