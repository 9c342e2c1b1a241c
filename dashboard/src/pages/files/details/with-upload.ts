import type { ActivityObject } from "../../../../../sdk/src/holdall.ts";
import { parseTimestamp } from "../../../text/timestamp.ts";
import type { Action } from "../../activity/filters.ts";

export interface ActivitySubject {
  readonly id: string;
  readonly key: string;
  readonly createdAt: string;
}

/** Actions whose events name the one file or folder that they added. */
const ALONE: ReadonlySet<Action> = new Set(["uploadFiles", "putContent", "createFolder"]);

/** Adds the event of the upload that brought the subject: it names only the folder that got the files. */
export function withUpload(
  own: readonly ActivityObject[],
  uploads: readonly ActivityObject[],
  { key, createdAt }: ActivitySubject,
): ActivityObject[] {
  if (own.some(({ action }) => ALONE.has(action))) return [...own];
  const at = parseTimestamp(createdAt).getTime();
  const distance = (event: ActivityObject): number =>
    Math.abs(parseTimestamp(event.at).getTime() - at);
  const [nearest] = uploads
    .filter(({ subject }) => subject?.kind === "folder" && isWithin(key, subject.key ?? undefined))
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest === undefined
    ? [...own]
    : [...own, nearest].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

const isWithin = (key: string, folder: string | undefined): boolean =>
  folder !== undefined && (folder === "" || key === folder || key.startsWith(`${folder}/`));
