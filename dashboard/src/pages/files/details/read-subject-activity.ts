import type { ActivityObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { parseTimestamp } from "../../../text/timestamp.ts";
import { type ActivitySubject, withUpload } from "./with-upload.ts";

const SHOWN = 10;
/** Number of events to read when some may be about other things than files and folders. */
const LOOKED_AT = 5 * SHOWN;
/** The longest text that the log is searched for, in UTF-16 units. */
const MAX_SEARCH = 255;
/** The longest time between a file and the event of its upload. */
const MAX_DELAY_MS = 10_000;

/** The latest events about a folder or about what is in it, newest first. */
export async function readFolderActivity(
  { id, key, createdAt }: ActivitySubject,
  signal: AbortSignal,
): Promise<readonly ActivityObject[]> {
  if (key === "") {
    const { activity } = await holdall.activity.list({ limit: LOOKED_AT, signal });
    return activity.filter(isAboutTree).slice(0, SHOWN);
  }
  const [own, inside] = await Promise.all([
    holdall.activity.list({ subject: id, limit: SHOWN, signal }),
    holdall.activity.list({
      q: textsBelow(key),
      since: createdAt,
      limit: LOOKED_AT,
      signal,
    }),
  ]);
  const within = inside.activity.filter(
    ({ subject }) => subject?.id !== id && subject?.key?.startsWith(`${key}/`),
  );
  return [...own.activity, ...within]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, SHOWN);
}

const isAboutTree = ({ subject }: ActivityObject): boolean =>
  subject?.kind === "file" || subject?.kind === "folder";

/** A search for texts that begin with a folder's key and a slash, or as much of them as a search may have. */
const textsBelow = (key: string): string =>
  `${`${key}/`.slice(0, MAX_SEARCH - 1).replace(/[\uD800-\uDBFF]$/, "")}*`;

/** The latest events about a file, newest first, with the upload of several files that brought it. */
export async function readSubjectActivity(
  subject: ActivitySubject,
  signal: AbortSignal,
): Promise<readonly ActivityObject[]> {
  const at = parseTimestamp(subject.createdAt).getTime();
  const [own, uploads] = await Promise.all([
    holdall.activity.list({ subject: subject.id, limit: SHOWN, signal }),
    holdall.activity.list({
      action: "uploadFiles",
      outcome: "done",
      since: new Date(at - MAX_DELAY_MS).toISOString(),
      until: new Date(at + MAX_DELAY_MS).toISOString(),
      signal,
    }),
  ]);
  return withUpload(own.activity, uploads.activity, subject).slice(0, SHOWN);
}
