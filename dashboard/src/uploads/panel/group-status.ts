import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { formatCount } from "../../text/format-count.ts";
import { displayName } from "../../text/key-parts.ts";
import type { Group } from "../group.ts";
import type { GroupTotals } from "../summary.ts";
import { formatProgress } from "./status-text.ts";

/** The event that a group with nothing left to send waits for. */
export const needsDecision = ({ state }: Group, { failed, open, paused }: GroupTotals): boolean =>
  state === "sending" && failed > 0 && open + paused === 0;

export const isPaused = ({ state }: Group, { paused, open }: GroupTotals): boolean =>
  (state === "sending" || state === "opening") && paused > 0 && open === 0;

/** The status of a folder. */
export function groupStatus(group: Group, totals: GroupTotals, speed: number | undefined): string {
  const { files, done, size, sent, failed, failure } = totals;
  const stored = `${done.toLocaleString()} of ${formatCount(files, "file")}`;
  switch (group.state) {
    case "reading":
      return group.found === 0
        ? "Reading the folder"
        : `Reading the folder · ${formatCount(group.found, "file")}`;
    case "checking":
      return "Checking for existing files";
    case "taken":
      return formatCount(group.conflicts, "file already exists", "files already exist");
    case "opening":
    case "sending":
      if (isPaused(group, totals)) {
        return `Paused · ${stored} · ${formatBytes(sent)} of ${formatBytes(size)}`;
      }
      if (needsDecision(group, totals)) {
        return `${formatCount(failed, "file")} failed. “${failure?.name}”: ${failure?.message}`;
      }
      return `${stored} · ${formatProgress(sent, size, speed)}`;
    case "committing":
      return `${formatCount(files, "file")} · ${displayName(group.folder)} · finishing`;
    case "done":
      return doneStatus(group, totals);
    case "interrupted":
      return `${stored} stored – ${
        group.handle === undefined
          ? "choose the folder again to continue"
          : "allow reading the folder to continue"
      }`;
    case "failed":
      return group.message ?? "Failed";
    case "cancelled":
      return "Cancelled";
  }
}

function doneStatus({ skipped, folder }: Group, { files, size }: GroupTotals): string {
  const stored = `${formatCount(files - skipped, "file")} · ${formatBytes(size)} · ${displayName(folder)}`;
  return skipped === 0
    ? stored
    : `${stored} · ${skipped.toLocaleString()} skipped, because ${skipped === 1 ? "it already exists" : "they already exist"}`;
}
