import type { ActivityObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { parseTimestamp } from "../../../text/timestamp.ts";
import { type ActivitySubject, withUpload } from "./with-upload.ts";

const SHOWN = 10;
/** The longest time between a file and the event of its upload. */
const MAX_DELAY_MS = 10_000;

/** The latest events about a folder or about what is in it, newest first. */
export async function readFolderActivity(
  { id, key }: ActivitySubject,
  signal: AbortSignal,
): Promise<readonly ActivityObject[]> {
  if (key === "") return (await holdall.activity.list({ limit: SHOWN, signal })).activity;
  const [own, inside] = await Promise.all([
    holdall.activity.list({ subject: id, limit: SHOWN, signal }),
    // Other events have the text elsewhere in them.
    holdall.activity.list({ q: `${key}/`, limit: 5 * SHOWN, signal }),
  ]);
  const within = inside.activity.filter(({ subject }) => subject?.key?.startsWith(`${key}/`));
  return [...own.activity, ...within]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, SHOWN);
}

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
