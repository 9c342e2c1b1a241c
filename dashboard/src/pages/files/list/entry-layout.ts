/** The positions of the entries in the content of a list or grid, in pixels. All have the same size. */
export interface EntryLayout {
  readonly count: number;
  readonly columns: number;
  /** The top left corner of the first entry. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Between the entries of a row, and between rows. */
  readonly gap: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The top left corner of an entry. */
export const placeOf = (
  { columns, left, top, width, height, gap }: EntryLayout,
  index: number,
): Point => ({
  x: left + (index % columns) * (width + gap),
  y: top + Math.floor(index / columns) * (height + gap),
});

/**
 * The indices of the entries that the rectangle between two corners touches, in order. Computed, because
 * only the rows in view have elements.
 */
export function entriesTouched(layout: EntryLayout, from: Point, to: Point): readonly number[] {
  const { count, columns, left, top, width, height, gap } = layout;
  const [firstColumn, lastColumn] = cellsTouched(from.x - left, to.x - left, width, gap);
  const [firstRow, lastRow] = cellsTouched(from.y - top, to.y - top, height, gap);
  const rows = Math.ceil(count / columns);
  const touched: number[] = [];
  for (let row = Math.max(0, firstRow); row <= Math.min(rows - 1, lastRow); row += 1) {
    const end = Math.min(columns - 1, lastColumn, count - 1 - row * columns);
    for (let column = Math.max(0, firstColumn); column <= end; column += 1) {
      touched.push(row * columns + column);
    }
  }
  return touched;
}

/** The first and the last cell that a range touches; the last is before the first if it is within a gap. */
function cellsTouched(a: number, b: number, size: number, gap: number): readonly [number, number] {
  const step = size + gap;
  const [low, high] = a < b ? [a, b] : [b, a];
  const before = Math.floor(low / step);
  const first = low - before * step < size ? before : before + 1;
  return [first, Math.floor(high / step)];
}
