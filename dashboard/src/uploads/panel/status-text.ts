import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { formatCount } from "../../text/format-count.ts";
import { displayName } from "../../text/key-parts.ts";
import type { Item } from "../item.ts";
import { secondsLeft } from "../speed.ts";
import type { Summary } from "../summary.ts";
import type { Pause } from "../uploads-state.ts";

/** Formats the remaining time: "5 s left", "3 min left"; empty while unknown. */
export function formatTimeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min left`;
}

/** Formats progress: "12.0 MB of 80.0 MB · 8.0 MB/s · 9 s left". */
export function formatProgress(sent: number, size: number, speed: number | undefined): string {
  const amount = `${formatBytes(sent)} of ${formatBytes(size)}`;
  const rate = speed === undefined ? "" : `${formatBytes(speed)}/s`;
  // After the last byte the server still has to store the file.
  const remaining =
    sent >= size && size > 0 ? "finishing" : formatTimeLeft(secondsLeft(size - sent, speed));
  return [amount, rate, remaining].filter((part) => part !== "").join(" · ");
}

/** The share that the server has: "43 % stored". Never "100 %" before it is complete. */
export const formatStored = (sent: number, size: number): string =>
  `${size === 0 ? 0 : Math.min(99, Math.floor((sent / size) * 100))} % stored`;

/** The status of one item. */
export function itemStatus(item: Item): string {
  const { state, sent, size, folder, message } = item;
  switch (state) {
    case "waiting":
      return sent > 0
        ? `Waiting · ${formatBytes(sent)} of ${formatBytes(size)}`
        : `Waiting · ${formatBytes(size)}`;
    case "sending":
      return formatProgress(sent, size, item.speed);
    case "paused":
      return sent > 0
        ? `Paused · ${formatBytes(sent)} of ${formatBytes(size)}`
        : `Paused · ${formatBytes(size)}`;
    case "interrupted":
      return `${formatStored(sent, size)} – ${interruptedHint(item)}`;
    case "done":
      return [formatBytes(size), displayName(folder), message]
        .filter((part) => part !== undefined)
        .join(" · ");
    case "taken":
      return "Already exists";
    case "failed":
      return message === undefined ? "Failed" : withoutName(message, item.name);
    case "skipped":
      return "Skipped";
    case "cancelled":
      return "Cancelled";
  }
}

/** Removes the file's name from the start of a sentence: the row already shows it. */
export function withoutName(message: string, name: string): string {
  const quoted = [`“${name}” `, `"${name}" `].find((start) => message.startsWith(start));
  if (quoted === undefined) return message;
  const rest = message.slice(quoted.length).replace(/^is /, "");
  return rest.slice(0, 1).toUpperCase() + rest.slice(1);
}

const interruptedHint = ({ sent, handle }: Item): string => {
  const aim = sent > 0 ? "to continue" : "to upload it";
  return handle === undefined ? `choose the file again ${aim}` : `allow reading the file ${aim}`;
};

/** The status of the whole queue. */
export function queueTitle({ count, wanted, isRunning, failures, leftOver, takenGroup }: Summary) {
  if (isRunning) {
    const number = Math.min(wanted, count.done + 1);
    return wanted <= 1
      ? "Uploading"
      : `Uploading ${formatNumber(number)} of ${formatNumber(wanted)}`;
  }
  if (count.taken > 0) {
    return formatCount(count.taken, "file already exists", "files already exist");
  }
  if (takenGroup !== undefined) {
    return formatCount(takenGroup.conflicts, "file already exists", "files already exist");
  }
  if (count.paused > 0) {
    return wanted === 1
      ? "Paused"
      : `Paused · ${formatNumber(count.done)} of ${formatNumber(wanted)} uploaded`;
  }
  if (failures > 0) return `${formatCount(failures, "upload")} failed`;
  if (leftOver > 0) return formatCount(leftOver, "interrupted upload");
  return count.done > 0 ? `${formatNumber(count.done)} uploaded` : "Nothing uploaded";
}

const formatNumber = (count: number): string => count.toLocaleString();

export function pauseMessage(pause: Pause, now: number): string {
  switch (pause.reason) {
    case "network":
      return "Can't reach the server. Uploading will resume automatically.";
    case "limit":
      return `Too many requests right now. Continuing in ${Math.max(1, Math.ceil((pause.until - now) / 1_000))} s.`;
    case "session":
      return "You've been signed out. Sign in to continue uploading.";
    case "room":
      return pause.message;
  }
}
