import { Fault } from "../domain/faults/fault.ts";

/** Runs `plan`. Fault "unavailable": the limit of plans that run is reached. */
export type PlanLimit = <T>(plan: () => Promise<T>) => Promise<T>;

const RETRY_SECONDS = 10;

/** Limits the zips for visitors that are planned at the same time: a plan lists all files of a folder. */
export function createPlanLimit(max = 16): PlanLimit {
  let running = 0;
  return async (plan) => {
    if (running >= max) {
      throw new Fault("unavailable", "Many zips are being prepared. Try again in a moment.", {
        retryAfter: RETRY_SECONDS,
      });
    }
    running += 1;
    try {
      return await plan();
    } finally {
      running -= 1;
    }
  };
}
