import type { HealthScrub } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatTimestampClause } from "../../text/timestamp.ts";

const count = new Intl.NumberFormat();

/** The result of the last check, in a sentence. `total`: the number of files to check. */
export function describeCheck(
  { state, startedAt, finishedAt, files, found }: HealthScrub,
  total: number,
): string {
  if (state === "never" || startedAt === null) return "The files have not been checked yet.";
  const damage = found === 0 ? "No damage found" : `${formatCount(found, "problem")} found`;
  if (state === "finished" && finishedAt !== null) {
    const added = total > files ? ` ${formatCount(total - files, "file")} added since.` : "";
    if (files === 0) {
      return `Checked ${formatTimestampClause(finishedAt)}, when there were no files.${added}`;
    }
    const checked = files === 1 ? "The only file was" : `All ${formatCount(files, "file")} were`;
    return `${checked} checked ${formatTimestampClause(finishedAt)}. ${damage}.${added}`;
  }
  const soFar = `${count.format(files)} of ${formatCount(Math.max(files, total), "file")}`;
  return state === "running"
    ? `Checking since ${sinceText(startedAt)}: ${soFar} so far. ${damage}.`
    : `The check that was started ${formatTimestampClause(startedAt)} was interrupted after ${soFar}. ${damage}.`;
}

const sinceText = (startedAt: string): string =>
  formatTimestampClause(startedAt).replace(/^on |^today at /, "");
