import type { Sealer } from "../../access/sealer.ts";
import { EVERYTHING, type SeenBy } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FeedPosition } from "../../domain/tree-change.ts";
import { readCursor, writeCursor } from "./handlers/cursor.ts";

/**
 * Positions in the change feed as text. They count all changes, so callers who are limited to folders get
 * them sealed: they must not learn how much changes elsewhere. A cursor is valid with any filter.
 */
export interface FeedCursors {
  write(position: FeedPosition): string;
  /** Faults: "invalid": it is no cursor of the feed; "gone": it is one that is not sealed, but must be. */
  read(cursor: string): FeedPosition;
}

/** The purpose of the sealer's key. */
export const CURSOR_PURPOSE = "holdall feed cursor v1";

const LIST = "changes";
/** The digits of the largest position: the length of a sealed cursor tells nothing. */
const DIGITS = 16;
/** `check` is 32 bits in base 36. */
const CHECK_LENGTH = 7;

export function feedCursorsFor({ within }: SeenBy, sealer: Sealer) {
  return within === EVERYTHING ? openCursors(sealer) : sealedCursors(sealer);
}

/** Also reads sealed ones: a key may have lost its limits. */
function openCursors(sealer: Sealer): FeedCursors {
  return {
    write: ({ seq, check }) => writeCursor(LIST, [seq, check]),
    read: (cursor) => unseal(cursor, sealer) ?? readOpen(cursor),
  };
}

function sealedCursors(sealer: Sealer): FeedCursors {
  return {
    write({ seq, check }) {
      const text = `${String(seq).padStart(DIGITS, "0")} ${check.padEnd(CHECK_LENGTH)}`;
      return sealer.seal(text, LIST);
    },
    read(cursor) {
      const position = unseal(cursor, sealer);
      if (position !== undefined) return position;
      // Older versions gave it to such callers, others get it. It could be guessed.
      readOpen(cursor);
      throw new Fault(
        "gone",
        "This cursor was given to another API key, or by an older version. List the files and folders again, and continue with a new cursor.",
      );
    },
  };
}

function unseal(cursor: string, sealer: Sealer): FeedPosition | undefined {
  const [seq, check] = sealer.open(cursor, LIST)?.trim().split(" ") ?? [];
  return seq === undefined || check === undefined ? undefined : { seq: Number(seq), check };
}

function readOpen(cursor: string): FeedPosition {
  const [seq, check, ...more] = readCursor(LIST, cursor, invalidSince);
  if (!Number.isSafeInteger(seq) || typeof seq !== "number" || typeof check !== "string") {
    throw invalidSince();
  }
  if (more.length > 0) throw invalidSince();
  return { seq, check };
}

const invalidSince = (): Fault =>
  new Fault("invalid", "`since` must be a `cursor` of this operation.");
