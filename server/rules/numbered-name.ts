import { MAX_NAME_BYTES, parseName } from "./name.ts";
import type { Name } from "./records.ts";

/**
 * Puts a number before the extension: "name (2).ext". Truncates the stem if the result would be too
 * long.
 */
export function numberedName(name: Name, number: number): Name {
  const dot = name.lastIndexOf(".");
  const end = ` (${number})${dot > 0 ? name.slice(dot) : ""}`;
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const room = MAX_NAME_BYTES - Buffer.byteLength(end);
  // The extension may be too long for this; then the number goes to the end.
  if (room < 1)
    return parseName(`${truncate(name, MAX_NAME_BYTES - ` (${number})`.length)} (${number})`);
  return parseName(truncate(stem, room) + end);
}

/** The text truncated to at most `maxBytes` bytes of UTF-8, in whole characters. */
function truncate(text: string, maxBytes: number): string {
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
