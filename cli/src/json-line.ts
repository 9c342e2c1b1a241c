/**
 * An object as JSON in one line. Characters that could change what a terminal shows, such as control
 * characters and bidirectional marks, are `\u` escapes, so the line is safe to print and loses nothing.
 */
export function jsonLine(object: object): string {
  return JSON.stringify(object).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at += 1) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
