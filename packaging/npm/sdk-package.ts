import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import sdk from "../../sdk/package.json" with { type: "json" };
import { root } from "../root.ts";
import { writeManifest } from "./manifest.ts";

/** Writes the npm package `@holdall/sdk` into the folder. */
export function writeSdkPackage(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const build = join(root, "sdk/build.mjs");
  const { status, stderr } = spawnSync("node", [build, join(folder, "dist")], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The SDK could not be built:\n${stderr}`);
  for (const file of ["sdk/README.md", "LICENSE"]) {
    cpSync(join(root, file), join(folder, file.replace("sdk/", "")));
  }
  // The build needs the repository.
  const { scripts: _, ...fields } = sdk;
  writeManifest(folder, fields);
}
