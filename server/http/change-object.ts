import type { ChangeObject } from "../../contract/types/changes.ts";
import type { SeenChange } from "../feed/feed.ts";
import { Fault } from "../rules/fault.ts";
import { timestamp } from "../rules/timestamp.ts";
import type { FeedPosition } from "../rules/tree-change.ts";
import { readCursor, writeCursor } from "./handlers/cursor.ts";
import { fileObject, folderObject } from "./objects.ts";

/** A change as an API object. */
export function changeObject({ position, at, actor, view }: SeenChange): ChangeObject {
  const { kind, id, key, fromKey, file, folder, visibility, hasContent } = view;
  return {
    cursor: feedCursor(position),
    kind,
    at: timestamp(at),
    actor: { ...actor },
    id,
    key,
    fromKey,
    file: file && fileObject(file),
    folder: folder && folderObject(folder),
    visibility,
    hasContent,
  };
}

/** A cursor is valid with any filter. */
const LIST = "changes";

export const feedCursor = ({ seq, check }: FeedPosition): string => writeCursor(LIST, [seq, check]);

/** Fault "invalid": it is no cursor of the feed. */
export function readFeedCursor(cursor: string): FeedPosition {
  const [seq, check, ...more] = readCursor(LIST, cursor, invalidSince);
  if (!Number.isSafeInteger(seq) || typeof seq !== "number" || typeof check !== "string") {
    throw invalidSince();
  }
  if (more.length > 0) throw invalidSince();
  return { seq, check };
}

const invalidSince = (): Fault =>
  new Fault("invalid", "`since` must be a `cursor` of this operation.");
