import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./install.mjs";

const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"'\n]+)["']/g;

/** The files of this repository that these import, directly or through others, and they themselves. */
export function neededModules(files) {
  const found = new Set(files);
  for (const file of found) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    for (const [, target] of readFileSync(path, "utf8").matchAll(RELATIVE_IMPORT)) {
      found.add(normalize(join(dirname(file), target)));
    }
  }
  return found;
}
