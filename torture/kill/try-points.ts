import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { sampleEvenly } from "../sample-evenly.ts";

/** How many points were tried, and at how many of them the server was killed. */
export interface TriedPoints {
  readonly tried: number;
  readonly hit: number;
}

/** Each mostly waits for its server. */
export const ATTEMPTS_AT_ONCE = 3;

/**
 * Tries `wanted` of the points, and another one in the place of each that was missed: threads share
 * the work differently each time, so a call may not be made. `attempt` resolves with whether it was hit.
 */
export async function tryPoints<Point>(
  all: readonly Point[],
  wanted: number,
  attempt: (point: Point, at: number) => Promise<boolean>,
): Promise<TriedPoints> {
  let tried = 0;
  let hit = 0;
  const tryOne = async (point: Point): Promise<void> => {
    tried += 1;
    if (await attempt(point, tried - 1)) hit += 1;
  };
  const chosen = new Set(sampleEvenly(all, wanted));
  await forEachConcurrently(chosen, ATTEMPTS_AT_ONCE, tryOne);
  const others = all.filter((point) => !chosen.has(point));
  for (const point of sampleEvenly(others, wanted * SPARE)) {
    if (hit >= wanted) break;
    await tryOne(point);
  }
  return { tried, hit };
}

/** Points that may take the place of each missed one. */
const SPARE = 5;
