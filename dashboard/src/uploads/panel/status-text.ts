import { bytesText } from "../../text/bytes.ts";
import { countText } from "../../text/count.ts";
import type { Pause } from "../engine.ts";
import type { Item } from "../item.ts";
import { secondsLeft } from "../speed.ts";
import type { Summary } from "../summary.ts";

/** Formats the remaining time: "5 s left", "3 min left"; empty while unknown. */
export function leftText(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min left`;
}

/** Formats progress: "12.0 MB of 80.0 MB · 8.0 MB/s · 9 s left". */
export function progressText(sent: number, size: number, speed: number | undefined): string {
  const far = `${bytesText(sent)} of ${bytesText(size)}`;
  const fast = speed === undefined ? "" : `${bytesText(speed)}/s`;
  // After the last byte the server still has to store the file.
  const left = sent >= size && size > 0 ? "finishing" : leftText(secondsLeft(size - sent, speed));
  return [far, fast, left].filter((part) => part !== "").join(" · ");
}

/** The status of one item. */
export function itemText(item: Item): string {
  switch (item.state) {
    case "waiting":
      return item.content === undefined ? "Waiting" : `Waiting · ${bytesText(item.size)}`;
    case "sending":
      return item.content === undefined
        ? "Creating"
        : progressText(item.sent, item.size, item.speed);
    case "done":
      return item.content === undefined ? "Folder created" : bytesText(item.size);
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
export function titleOf({ count, wanted, isRunning }: Summary): string {
  if (isRunning) {
    const number = Math.min(wanted, count.done + 1);
    return wanted === 1 ? "Uploading" : `Uploading ${text(number)} of ${text(wanted)}`;
  }
  if (count.taken > 0) {
    return countText(count.taken, "file already exists", "files already exist");
  }
  if (count.failed > 0) return `${countText(count.failed, "upload")} failed`;
  return count.done > 0 ? `${text(count.done)} uploaded` : "Nothing uploaded";
}

const text = (count: number): string => count.toLocaleString();

export function pauseText(pause: Pause, now: number): string {
  switch (pause.why) {
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
