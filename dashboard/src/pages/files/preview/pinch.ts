export interface Point {
  readonly x: number;
  readonly y: number;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
export const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** By how much two fingers zoom that have moved from `before` to `after`. */
export const pinchFactor = (
  before: readonly [Point, Point],
  after: readonly [Point, Point],
): number => distance(...after) / Math.max(1, distance(...before));
