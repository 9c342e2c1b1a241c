import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // Links to other files of the repository lead nowhere from the package.
  const readme = readFileSync(join(root, "sdk/README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replace(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, "$1"));
  // The build needs the repository.
  const { scripts: _, ...fields } = sdk;
  writeManifest(folder, fields);
}
