import pino from "pino";
import type { Config } from "./config/config.ts";
import { PIPE_BUF } from "./lib/pipe-buf.ts";

export type Log = ReturnType<typeof createLog>;

/** UTF-16 code units that wait for a full disk. Lines past them are dropped. */
const MAX_WAITING = 1024 * 1024;

/**
 * Logs JSON lines to standard error, each with the fields of `base`. Lines never contain credentials,
 * terminal escape sequences or invisible characters. Long texts are cut, so that a pipe takes a line as a whole.
 */
export function createLog(level: Config["logLevel"], base: { worker: number } | null = null) {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING });
  // A full disk must not stop the server. The line waits for the next one.
  destination.on("error", () => {});
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => void destination.write(shorten(escapeInvisible(line))) },
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

/** The longest texts are cut first: at this many characters, then at half of that, and so on. */
const FIRST_CUT = 2048;
const LAST_CUT = 16;

/** Cuts the long texts of a line that is longer than a pipe takes as a whole. */
function shorten(line: string): string {
  if (!isTooLong(line)) return line;
  const fields = JSON.parse(line);
  let shorter = line;
  for (let limit = FIRST_CUT; limit >= LAST_CUT && isTooLong(shorter); limit /= 2) {
    const cut = JSON.stringify(fields, (_, value) => cutTo(limit, value));
    shorter = escapeInvisible(`${cut}\n`);
  }
  return shorter;
}

const isTooLong = (line: string): boolean =>
  // Each UTF-16 code unit has at most 3 bytes.
  line.length * 3 > PIPE_BUF && Buffer.byteLength(line) > PIPE_BUF;

function cutTo(limit: number, value: unknown): unknown {
  if (typeof value === "string" && value.length > limit) return `${value.slice(0, limit)}…`;
  // The first elements of a list that is this long say enough.
  if (Array.isArray(value) && value.length > limit) return [...value.slice(0, limit), "…"];
  return value;
}
