import type { FileObject, FilePage } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { withBasePath } from "../../../app/navigation/location.ts";

/**
 * The absolute URL of a public file that caches may keep for a year; null if there is none, because lasting URLs are
 * off or the file's digest is not known yet.
 */
export async function lastingUrlOf({ id, name }: FileObject, signal: AbortSignal) {
  // Only lists have lasting URLs, and other folders may have files of the same name.
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: FilePage = await holdall.files.page({
      name,
      include: ["lastingUrl"],
      signal,
      ...(cursor === "" ? {} : { cursor }),
    });
    const file = page.files.find((each) => each.id === id);
    if (file) {
      return file.lastingUrl ? location.origin + withBasePath(`/${file.lastingUrl}`) : null;
    }
    cursor = page.nextCursor;
  }
  return null;
}
