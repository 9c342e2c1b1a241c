import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";
import { fetchRuntime } from "./fetch-runtime.ts";
import { isThisPlatform, type Platform } from "./platforms.ts";

/** Writes the executable for a platform, with the licences, into the folder. Returns the executable's path. */
export function makeExecutable(platform: Platform, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "holdall");
  const args = [join(root, "scripts/executable.ts"), program];
  if (!isThisPlatform(platform)) {
    args.push(platform.target, fetchRuntime(platform.runtime, `${folder}-runtime`));
  }
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${platform.name} could not be made:\n${stderr}`);
  for (const file of ["LICENSE", "THIRD-PARTY.md"])
    copyFileSync(join(root, file), join(folder, file));
  return program;
}

/** Packs the folder of an executable into a tarball whose files belong to root. */
export function packExecutable(folder: string, tarball: string): void {
  const { status, stderr } = spawnSync(
    "tar",
    [
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w"],
      ...["-czf", tarball, "-C", folder, "holdall", "LICENSE", "THIRD-PARTY.md"],
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`tar failed: ${stderr}`);
}
