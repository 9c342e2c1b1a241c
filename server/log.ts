import pino from "pino";
import type { Config } from "./config/config.ts";

export type Log = ReturnType<typeof createLog>;

/**
 * Structured lines on standard error, each with `base`; credentials never get there, nor does what
 * steers a terminal or hides its neighbours.
 */
export function createLog(level: Config["logLevel"], base: { worker: number } | null = null) {
  const destination = pino.destination({ dest: 2, sync: true });
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void destination.write(printable(line)) },
  );
}

/**
 * The same JSON with such characters escaped as escape sequences begin with beyond ASCII (C1), as
 * turn the direction of writing, or as end a line for some programs. Outside texts there are none.
 */
function printable(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

/** As JSON may spell it, unit by unit (RFC 8259, section 7). */
function escaped(character: string): string {
  let text = "";
  for (let at = 0; at < character.length; at += 1) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return text;
}
