import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const FOLDERS = ["contract", "server", "sdk", "dashboard", "test", "torture", "bench", "e2e"];
const IGNORED = /(^|\/)(node_modules|dist)\//;

/** Every test file whose path contains one of the patterns; all without patterns. */
export function testFiles(patterns = []) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
    .filter((path) => /\.test\.tsx?$/.test(path) && !IGNORED.test(path))
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)))
    .sort();
}
