import { accessSync, constants, mkdirSync } from "node:fs";

/** Creates a missing folder. Messages call it `name`. Error: this user cannot write it. */
export function makeWritable(path: string, name: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} is "${path}", but must be a folder that this user may write: ${why}.`);
  }
}
