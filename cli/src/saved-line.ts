import type { FileObject } from "../../sdk/src/holdall.ts";
import type { Saved } from "./local/save-file.ts";
import type { Line } from "./output.ts";

/** The line for a file that is there. */
export function savedLine(
  { key, size }: FileObject,
  path: string,
  { outcome, sha256 }: Saved,
): [object: Line, text: string] {
  const text = {
    saved: `Saved ${path}${sha256 === null ? " (not checked: the server has no digest yet)" : ""}`,
    kept: `Kept ${path}, which has this content already`,
    skipped: `Skipped ${path}, which has other content`,
  };
  return [{ type: outcome, key, path, size, sha256 }, text[outcome]];
}
