import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the content of a file survive a power cut, also if another program wrote it. */
export function fsyncFileSync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
