import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the content of a file that another program or call has written survive a power cut. */
export function fsyncFileSync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
