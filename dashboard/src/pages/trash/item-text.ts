import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatTimeUntil } from "../../text/format-duration.ts";
import { parseTimestamp } from "../../text/timestamp.ts";

/** The size of an item: "5 MB", and of a folder "12 files · 5 MB"; undefined if it is not counted. */
export function formatItemSize({ size, files }: TrashItem): string | undefined {
  const parts = [
    files === null ? undefined : formatCount(files, "file"),
    size === null ? undefined : formatBytes(size),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" · ");
}

/** When an item will be deleted permanently: "in 12 days", or "soon" if its time has come. */
export function formatExpiry({ expiresAt }: TrashItem, now: Date): string {
  const millis = parseTimestamp(expiresAt).getTime() - now.getTime();
  return millis < 60_000 ? "soon" : formatTimeUntil(millis);
}

/** The files and bytes of several items, as far as they are counted: "3 files (5 MB)". */
export function formatSum(items: readonly TrashItem[]): string | undefined {
  let files = 0;
  let bytes = 0;
  for (const { kind, files: inside, size } of items) {
    if (size === null || (kind === "folder" && inside === null)) return undefined;
    files += kind === "file" ? 1 : (inside ?? 0);
    bytes += size;
  }
  return formatLoss({ items: items.length, files, bytes });
}

/** Describes the contents of a deletion: "3 files (5 MB)", or "1 empty folder". */
export const formatLoss = ({ items, files, bytes }: Record<"items" | "files" | "bytes", number>) =>
  files === 0
    ? formatCount(items, "empty folder")
    : `${formatCount(files, "file")} (${formatBytes(bytes)})`;
