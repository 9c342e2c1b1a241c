import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import type { Trial } from "../trial.ts";
import { backups } from "./backups.ts";
import { migrations } from "./migrations.ts";
import { trees } from "./trees.ts";

/** Backups under load, and kill -9 in the middle of each command that carries everything. */
export const transfers: Trial = {
  name: "backup",
  async run(scale) {
    const folder = temporaryFolder();
    try {
      return [
        ...(await backups(folder, scale)),
        ...(await trees(folder, scale)),
        ...(await migrations(folder, scale)),
      ];
    } finally {
      removeFolder(folder);
    }
  },
};
