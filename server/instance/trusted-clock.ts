import { uptime } from "node:os";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { Millis } from "../domain/records.ts";
import type { Log } from "../log.ts";

/** The clock that everything asks that destroys what has expired. */
export interface TrustedClock {
  /**
   * The time by the catalog's clock; undefined: the clock has moved, so nothing may be destroyed by it now.
   * See `judgeClock`.
   */
  now(): Promise<Millis | undefined>;
}

export interface TrustedClockDeps {
  readonly catalog: Pick<CatalogClock, "observeClock">;
  readonly log: Pick<Log, "info" | "warn">;
  /** Seconds of a clock that cannot be set. Default: those since the machine's boot. */
  readonly elapsed?: () => number;
}

export function createTrustedClock(deps: TrustedClockDeps): TrustedClock {
  const { catalog, log, elapsed = uptime } = deps;
  let last: { readonly now: Millis; readonly at: number } | undefined;
  let isWaiting = false;

  return {
    async now() {
      const at = elapsed() * 1000;
      const previous =
        last === undefined ? null : { now: last.now, elapsedMs: Math.max(0, at - last.at) };
      const { seenAt: now, steadyMs, movedMs } = await catalog.observeClock(previous);
      last = { now, at };
      if (movedMs !== 0) {
        log.warn(
          { now: new Date(now).toISOString(), movedSeconds: Math.round(movedMs / 1000) },
          "The clock was set, or the server was off for more than a day: nothing is deleted by age until it has run for a day",
        );
      } else if (steadyMs === null && isWaiting) {
        log.info("The clock is trusted again: what is too old will be deleted");
      } else if (steadyMs !== null && !isWaiting) {
        log.info("The clock was set within the last day of running: nothing is deleted by age yet");
      }
      isWaiting = steadyMs !== null;
      return isWaiting ? undefined : now;
    },
  };
}
