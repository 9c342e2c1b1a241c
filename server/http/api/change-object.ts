import type { ChangeObject } from "../../../contract/types/changes.ts";
import { timestamp } from "../../domain/timestamp.ts";
import type { SeenChange } from "../../feed/feed.ts";
import { fileObject, folderObject } from "./objects.ts";

/** A change as an API object. */
export function changeObject({ at, actor, view }: SeenChange, cursor: string): ChangeObject {
  const { kind, id, key, fromKey, file, folder, visibility, hasContent } = view;
  return {
    cursor,
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
