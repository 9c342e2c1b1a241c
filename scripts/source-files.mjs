import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** The files below a folder of this repository, without tests, in order. */
export const sourceFiles = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
