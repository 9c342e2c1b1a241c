import { MAX_NAME_BYTES, parseName } from "./name.ts";
import type { Name } from "./records.ts";

/**
 * The name with a number before its extension: "name (2).ext". Where it would be too long, letters
 * at the end of the stem make room.
 */
export function numberedName(name: Name, number: number): Name {
  const dot = name.lastIndexOf(".");
  const end = ` (${number})${dot > 0 ? name.slice(dot) : ""}`;
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const room = MAX_NAME_BYTES - Buffer.byteLength(end);
  // An extension may fill the name; then the number goes behind everything.
  if (room < 1)
    return parseName(`${cut(name, MAX_NAME_BYTES - ` (${number})`.length)} (${number})`);
  return parseName(cut(stem, room) + end);
}

/** The beginning of the text that has at most so many bytes, in whole characters. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}
