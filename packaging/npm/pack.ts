import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Packs the package in the folder, as publishing does. Returns the path of the tarball, in `output`. */
export function pack(folder: string, output: string): string {
  mkdirSync(output, { recursive: true });
  const args = ["pack", "--json", "--ignore-scripts", `--pack-destination=${output}`];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  const name = /"filename": "([^"]+)"/.exec(stdout)?.[1];
  if (status !== 0 || name === undefined) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
  return join(output, name);
}
