import { Fault } from "./fault.ts";

/** The same request is running, or has just ended, so that repeating it gets what it has stored. */
export const requestRunning = (): Fault =>
  new Fault("conflict", "A request with this `Idempotency-Key` is running. Try again later.", {
    code: "request_running",
    retryAfter: 1,
    details: { retryAfter: 1 },
  });
