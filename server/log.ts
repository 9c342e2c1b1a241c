import pino from "pino";
import type { Config } from "./config.ts";

export type Log = ReturnType<typeof createLog>;

/** Structured lines on standard error, each with `base`; credentials never get there. */
export function createLog(level: Config["logLevel"], base: { worker: number } | null = null) {
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
