import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import type { Trial } from "../trial.ts";
import { backups } from "./backups.ts";
import { exportsAndImports } from "./exports-and-imports.ts";
import { moves } from "./moves.ts";

/** Backups under load, and kill -9 during backup, restore, export, import and migrate. */
export const transfers: Trial = {
  name: "backup",
  async run(scale) {
    const folder = temporaryFolder();
    try {
      return [
        ...(await backups(folder, scale)),
        ...(await exportsAndImports(folder, scale)),
        ...(await moves(folder, scale)),
      ];
    } finally {
      removeFolder(folder);
    }
  },
};
