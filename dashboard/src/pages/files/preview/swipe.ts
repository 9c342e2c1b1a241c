export type Swipe = "next" | "previous" | "close";

/** Movement, in pixels, before a touch has a direction. */
const START_DISTANCE = 10;
const STEP_DISTANCE = 70;
const CLOSE_DISTANCE = 110;

/** The direction of a touch that has moved; undefined: not yet clear; "other": not a swipe. */
export function directionOf(dx: number, dy: number): "sideways" | "down" | "other" | undefined {
  if (Math.hypot(dx, dy) < START_DISTANCE) return undefined;
  if (Math.abs(dx) > 1.3 * Math.abs(dy)) return "sideways";
  return dy > 1.3 * Math.abs(dx) ? "down" : "other";
}

/** The effect of a touch that ends after this movement. */
export function swipeOf(direction: "sideways" | "down", dx: number, dy: number): Swipe | undefined {
  if (direction === "down") return dy > CLOSE_DISTANCE ? "close" : undefined;
  if (Math.abs(dx) < STEP_DISTANCE) return undefined;
  return dx < 0 ? "next" : "previous";
}
