import type { Name } from "../records.ts";
import { extensionStart } from "./extension-start.ts";
import { MAX_NAME_BYTES, parseName } from "./name.ts";

/**
 * Puts a number before the extension of a file's name: "name (2).ext". Truncates the stem if the result
 * would be too long.
 */
export function numberedName(name: Name, number: number): Name {
  const start = extensionStart(name);
  const end = ` (${number})${name.slice(start)}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(end);
  // The extension may be too long for this; then the number goes to the end.
  if (room < 1) return numberedFolderName(name, number);
  return parseName(truncate(name.slice(0, start), room) + end);
}

/** Puts a number at the end of a folder's name, which has no extension. Truncates a name that is too long. */
export function numberedFolderName(name: Name, number: number): Name {
  const end = ` (${number})`;
  return parseName(truncate(name, MAX_NAME_BYTES - end.length) + end);
}

/** The text truncated to at most `maxBytes` bytes of UTF-8, in whole characters. */
export function truncate(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    kept += character;
  }
  return kept;
}
