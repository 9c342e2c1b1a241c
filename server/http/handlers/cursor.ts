import { Fault } from "../../rules/fault.ts";

/** What a cursor is made of: a place in the list that it belongs to. */
type Part = string | number | null;

/** No place takes more: a key, a name and an id, each character escaped. */
const MAX_LENGTH = 16 * 1024;

/**
 * A place in a list as text that is safe in a URL. `list` says which list it is, with its filter
 * and its order: in any other the cursor is refused.
 */
export function writeCursor(list: string, place: readonly Part[]): string {
  return Buffer.from(JSON.stringify([markOf(list), ...place])).toString("base64url");
}

/** The place that a cursor stands for. Fault "invalid": it is none of this list's. */
export function readCursor(list: string, cursor: string): Part[] {
  const parts = parse(cursor);
  if (parts === undefined || parts.shift() !== markOf(list)) throw wrongCursor();
  return parts;
}

export const wrongCursor = (): Fault =>
  new Fault(
    "invalid",
    "`cursor` must be empty for the first page, or the `nextCursor` of the page before, asked for with the same parameters.",
  );

const markOf = (list: string): string => Bun.hash.crc32(list).toString(36);

function parse(cursor: string): Part[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Text with a NUL in it, or half a character, is nobody's name, and no database takes it. */
const isPart = (part: unknown): part is Part =>
  part === null ||
  typeof part === "number" ||
  (typeof part === "string" && part.isWellFormed() && !part.includes("\0"));
