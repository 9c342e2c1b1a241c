import { Fault } from "../../../domain/faults/fault.ts";
import { crc32 } from "../../../runtime/hash.ts";

/** A position in a list has several parts, such as a sort value and an id. */
type Part = string | number | null;

/** Enough for a key, a name and an id with every character escaped. */
const MAX_LENGTH = 16 * 1024;

/**
 * Encodes a position in a list as text that is safe in a URL. `list` identifies the list with its
 * filter and order: the cursor is valid for no other list.
 */
export function writeCursor(list: string, position: readonly Part[]): string {
  return Buffer.from(JSON.stringify([hashOf(list), ...position])).toString("base64url");
}

/** Decodes the position. Throws `invalid()` if the cursor does not belong to this list. */
export function readCursor(list: string, cursor: string, invalid = invalidCursor): Part[] {
  const parts = parse(cursor);
  if (parts === undefined || parts.shift() !== hashOf(list)) throw invalid();
  return parts;
}

/** Throws if the query has a cursor that no list has written. */
export function requireCursor(query: unknown): void {
  if (typeof query !== "object" || query === null || !("cursor" in query)) return;
  const { cursor } = query;
  if (typeof cursor === "string" && cursor !== "" && parse(cursor) === undefined) {
    throw invalidCursor();
  }
}

export const invalidCursor = (): Fault =>
  new Fault(
    "invalid",
    "`cursor` must be empty for the first page, or the `nextCursor` of the previous page with the same parameters.",
  );

const hashOf = (list: string): string => crc32(list).toString(36);

function parse(cursor: string): Part[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Databases reject text with NUL or lone surrogates, which no name contains. */
const isPart = (part: unknown): part is Part =>
  part === null ||
  typeof part === "number" ||
  (typeof part === "string" && part.isWellFormed() && !part.includes("\0"));
