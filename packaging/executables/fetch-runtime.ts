import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../root.ts";

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), integrity: z.string().optional() }),
  ),
});

/**
 * Downloads the runtime of another platform with npm into the folder. Returns the path of the program. Error: it is not
 * the one in the lock file.
 */
export function fetchRuntime(name: string, folder: string): string {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages } = lockSchema.parse(JSON.parse(text));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  mkdirSync(folder, { recursive: true });
  const args = ["pack", "--json", `${name}@${version}`];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  const file = /"filename": "([^"]+)"/.exec(stdout)?.[1];
  if (status !== 0 || file === undefined) throw new Error(`npm pack ${name} failed:\n${stderr}`);
  const tarball = join(folder, file);
  const digest = createHash("sha512").update(readFileSync(tarball)).digest("base64");
  if (integrity !== `sha512-${digest}`) throw new Error(`${name} is not what the lock file names.`);
  const unpacked = spawnSync("tar", ["-xzf", tarball, "-C", folder, "package/bin/bun"]);
  if (unpacked.status !== 0) throw new Error(`${tarball} has no runtime: ${unpacked.stderr}`);
  return join(folder, "package/bin/bun");
}
