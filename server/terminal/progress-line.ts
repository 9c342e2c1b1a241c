import type { Progress } from "../transfer/progress.ts";
import { bytesText, countText } from "./amounts.ts";

const REDRAW_MS = 200;
const LINE_MS = 30_000;

/**
 * Shows the progress until `end`: in one line that is redrawn on a terminal, elsewhere in a new line
 * every half minute. `say` prints a line in between.
 */
export function showProgress(verb: string, progress: Progress) {
  const screen = process.stderr;
  const isTerminal = screen.isTTY === true;
  const clear = isTerminal ? "\r\x1b[K" : "";

  function show(): void {
    const line = `${progress.step ?? verb} ${progressText(progress)}`;
    // A line that wraps could not be cleared.
    if (isTerminal) screen.write(`${clear}${line.slice(0, (screen.columns ?? 80) - 1)}`);
    else screen.write(`${line}\n`);
  }

  const timer = setInterval(show, isTerminal ? REDRAW_MS : LINE_MS);
  return {
    say: (line: string): void => void screen.write(`${clear}${line}\n`),
    end(): void {
      clearInterval(timer);
      screen.write(clear);
    },
  };
}

/** The counts, the share and the speed of a transfer. */
export function progressText({ files, bytes, total, startedAt }: Progress): string {
  const milliseconds = performance.now() - startedAt;
  const speed = `${bytesText((bytes * 1000) / Math.max(milliseconds, 1))}/s`;
  if (total === null) return `${countText(files, "file")}, ${bytesText(bytes)}, ${speed}`;
  const share = total.bytes > 0 ? bytes / total.bytes : files / Math.max(total.files, 1);
  const counts = [
    `${Math.floor(Math.min(share, 1) * 100)} %`,
    `${files.toLocaleString("en")} of ${countText(total.files, "file")}`,
  ];
  // Steps that copy rows have no bytes.
  if (total.bytes + bytes === 0) return counts.join(", ");
  return [...counts, `${bytesText(bytes)} of ${bytesText(total.bytes)}`, speed].join(", ");
}
