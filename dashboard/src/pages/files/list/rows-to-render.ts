export interface ViewRange {
  readonly startIndex: number;
  readonly endIndex: number;
  /** Rows rendered beyond each end of the view while not scrolling. */
  readonly overscan: number;
  readonly count: number;
}

/**
 * The rows to render: those in view, some around them, and the row `pinned` (-1 for none). While
 * scrolling, most of the extra rows are in the scroll direction, so that no gaps come into view.
 */
export function rowsToRender(
  { startIndex, endIndex, overscan, count }: ViewRange,
  direction: "forward" | "backward" | null,
  pinned: number,
): number[] {
  const [ahead, behind] = [overscan * 3, Math.ceil(overscan / 3)];
  const before = direction === "forward" ? behind : direction === "backward" ? ahead : overscan;
  const after = direction === "forward" ? ahead : direction === "backward" ? behind : overscan;
  const first = Math.max(0, startIndex - before);
  const last = Math.min(count - 1, endIndex + after);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (pinned >= 0 && pinned < first) rows.unshift(pinned);
  if (pinned > last && pinned < count) rows.push(pinned);
  return rows;
}
