import type { ClockLook, JudgedClock } from "../../domain/judge-clock.ts";
import type { Millis } from "../../domain/records.ts";

/** The clock that expiries count by: the machine's, or the database server's, which all servers share. */
export interface CatalogClock {
  /**
   * Its time, without asking for it. A database's is known to within the time that one of its replies takes, and
   * as of its last reply if its clock is set.
   */
  now(): Millis;
  /** Reads and judges the clock. `previous`: the last look of this process. */
  observeClock(previous: ClockLook["previous"]): Promise<JudgedClock>;
}
