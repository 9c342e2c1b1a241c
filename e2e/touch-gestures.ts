import type { Page } from "playwright-core";

interface Point {
  readonly x: number;
  readonly y: number;
}

const STEPS = 8;

/** Moves fingers from their first to their last points. */
export async function touch(
  page: Page,
  fingers: readonly { readonly from: Point; readonly to: Point }[],
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const at = (part: number) =>
    fingers.map(({ from, to }) => ({
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  await send("touchStart", at(0));
  for (let step = 1; step <= STEPS; step += 1) await send("touchMove", at(step / STEPS));
  await send("touchEnd", []);
  await session.detach();
}

/** Moves one finger. */
export const drag = (page: Page, from: Point, to: Point) => touch(page, [{ from, to }]);

/** Moves two fingers apart, or together if `to` is less than `from`. */
export const pinch = (page: Page, { x, y }: Point, from: number, to: number) =>
  touch(page, [
    { from: { x: x - from / 2, y }, to: { x: x - to / 2, y } },
    { from: { x: x + from / 2, y }, to: { x: x + to / 2, y } },
  ]);
