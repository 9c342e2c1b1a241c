export interface LinesInView {
  readonly startIndex: number;
  readonly endIndex: number;
  /** How many lines are kept beyond each end of the view while nothing moves. */
  readonly overscan: number;
  readonly count: number;
}

/**
 * The lines that exist: those in view and some around them, and `kept` wherever it is (-1: none).
 * While it scrolls most of them lie where it goes, so that the view does not outrun what is drawn.
 */
export function linesAround(
  { startIndex, endIndex, overscan, count }: LinesInView,
  direction: "forward" | "backward" | null,
  kept: number,
): number[] {
  const [ahead, behind] = [overscan * 3, Math.ceil(overscan / 3)];
  const before = direction === "forward" ? behind : direction === "backward" ? ahead : overscan;
  const after = direction === "forward" ? ahead : direction === "backward" ? behind : overscan;
  const first = Math.max(0, startIndex - before);
  const last = Math.min(count - 1, endIndex + after);
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (kept >= 0 && kept < first) lines.unshift(kept);
  if (kept > last && kept < count) lines.push(kept);
  return lines;
}
