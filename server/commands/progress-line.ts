import type { Progress } from "../transfer/progress.ts";
import { bytesText, countText } from "./amounts.ts";

const LIVE_MS = 200;
const RARE_MS = 30_000;

/** Where the line goes: standard error, or what stands in for it. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows how far the work is while it runs: on a terminal in one line that changes, elsewhere in a
 * line each half minute. `say` prints a line of its own in between.
 */
export function showProgress(verb: string, progress: Progress, screen: Screen = process.stderr) {
  const isLive = screen.isTTY === true;
  const clear = isLive ? "\r\x1b[K" : "";

  function show(): void {
    const line = `${progress.step ?? verb} ${describe(progress)}`;
    // A line that wraps could not be taken back.
    if (isLive) screen.write(`${clear}${line.slice(0, (screen.columns ?? 80) - 1)}`);
    else screen.write(`${line}\n`);
  }

  const timer = setInterval(show, isLive ? LIVE_MS : RARE_MS);
  return {
    say: (line: string): void => void screen.write(`${clear}${line}\n`),
    end(): void {
      clearInterval(timer);
      screen.write(clear);
    },
  };
}

function describe({ files, bytes, total, since }: Progress): string {
  const milliseconds = performance.now() - since;
  const speed = `${bytesText((bytes * 1000) / Math.max(milliseconds, 1))}/s`;
  if (total === null) return `${countText(files, "file")}, ${bytesText(bytes)}, ${speed}`;
  const share = total.bytes > 0 ? bytes / total.bytes : files / Math.max(total.files, 1);
  const counts = [
    `${Math.floor(Math.min(share, 1) * 100)} %`,
    `${files.toLocaleString("en")} of ${countText(total.files, "file")}`,
  ];
  // Of catalogs, there are no bytes to tell.
  if (total.bytes + bytes === 0) return counts.join(", ");
  return [...counts, `${bytesText(bytes)} of ${bytesText(total.bytes)}`, speed].join(", ");
}
