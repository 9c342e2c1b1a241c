import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where the package has the sizes of its files. */
export const SIZES_FILE = "bin/sizes.json";

/** Whether the package in the folder has all its files. An installer that was killed leaves some out, or cuts them. */
export function isComplete(folder: string): boolean {
  try {
    const sizes = JSON.parse(readFileSync(join(folder, SIZES_FILE), "utf8"));
    return Object.entries(sizes).every(
      ([file, bytes]) => statSync(join(folder, file)).size === bytes,
    );
  } catch {
    return false;
  }
}
