import { formatBytes } from "../../text/format-bytes.ts";
import { formatCount } from "../../text/format-count.ts";
import type { Pause } from "../engine.ts";
import type { Item } from "../item.ts";
import { secondsLeft } from "../speed.ts";
import type { Summary } from "../summary.ts";

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

/** The status of one item. */
export function itemStatus(item: Item): string {
  switch (item.state) {
    case "waiting":
      return item.content === undefined ? "Waiting" : `Waiting · ${formatBytes(item.size)}`;
    case "sending":
      return item.content === undefined
        ? "Creating"
        : formatProgress(item.sent, item.size, item.speed);
    case "done":
      return item.content === undefined ? "Folder created" : formatBytes(item.size);
    case "taken":
      return "Already exists";
    case "failed":
      return item.message ?? "Failed";
    case "skipped":
      return "Skipped";
    case "cancelled":
      return "Cancelled";
  }
}

/** The status of the whole queue. */
export function queueTitle({ count, wanted, isRunning }: Summary): string {
  if (isRunning) {
    const number = Math.min(wanted, count.done + 1);
    return wanted === 1
      ? "Uploading"
      : `Uploading ${formatNumber(number)} of ${formatNumber(wanted)}`;
  }
  if (count.taken > 0) {
    return formatCount(count.taken, "file already exists", "files already exist");
  }
  if (count.failed > 0) return `${formatCount(count.failed, "upload")} failed`;
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
