import pino from "pino";
import type { Config } from "./config/config.ts";

export type Log = ReturnType<typeof createLog>;

/**
 * Logs JSON lines to standard error, each with the fields of `base`. Lines never contain credentials,
 * terminal escape sequences or invisible characters.
 */
export function createLog(level: Config["logLevel"], base: { worker: number } | null = null) {
  const destination = pino.destination({ dest: 2, sync: true });
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void destination.write(escapeInvisible(line)) },
  );
}

/**
 * Escapes control characters beyond ASCII (C1), characters that change the writing direction, and
 * those that some programs take for line breaks. In JSON they occur only inside strings.
 */
function escapeInvisible(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : unicodeEscape(character),
  );
}

/** Each UTF-16 code unit as `\uXXXX` (RFC 8259, section 7). */
function unicodeEscape(character: string): string {
  let text = "";
  for (let at = 0; at < character.length; at += 1) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return text;
}
