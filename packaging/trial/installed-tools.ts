import { join } from "node:path";
import { npmInstall, runInstaller } from "./npm-install.ts";

/** Pinned, and only for releases: nobody else waits until they are installed. */
const TOOLS = ["@arethetypeswrong/cli@0.18.5", "pnpm@10.34.8", "publint@0.3.25"];

export interface InstalledTools {
  /** Runs one of the tools. Error: it fails, or finds something. */
  run(folder: string, tool: "attw" | "pnpm" | "publint", args: readonly string[]): void;
}

/** Installs the tools that check packages into the folder. */
export function installTools(folder: string): InstalledTools {
  npmInstall(folder, TOOLS, ["--ignore-scripts"]);
  return {
    run: (cwd, tool, args) => runInstaller(cwd, join(folder, "node_modules/.bin", tool), args),
  };
}
