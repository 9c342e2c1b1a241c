import type { ClockLook, JudgedClock } from "../../domain/judge-clock.ts";

/** The clock that expiries count by: the machine's, or the database server's, which all servers share. */
export interface CatalogClock {
  /** Reads and judges the clock. `previous`: the last look of this process. */
  observeClock(previous: ClockLook["previous"]): Promise<JudgedClock>;
}
