import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The list of the package's files that `isComplete` reads. */
export const FILES_FILE = "bin/files.json";

const END_BYTES = 32;

/** The size of a published file, and its last bytes in base64. */
export const describeFile = (content: Buffer): readonly [size: number, end: string] => [
  content.length,
  content.subarray(-END_BYTES).toString("base64"),
];

/**
 * Whether the package in the folder has all its files. An installer that was killed leaves some out, or cuts them.
 * Other tools, such as patch-package, change files on purpose: a file that is longer, or ends as it did, is not cut.
 */
export function isComplete(folder: string): boolean {
  try {
    const files: Record<string, ReturnType<typeof describeFile>> = JSON.parse(
      readFileSync(join(folder, FILES_FILE), "utf8"),
    );
    return Object.entries(files).every(([file, [size, end]]) => {
      const path = join(folder, file);
      return statSync(path).size >= size || describeFile(readFileSync(path))[1] === end;
    });
  } catch {
    return false;
  }
}
