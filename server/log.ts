import pino from "pino";
import type { Config } from "./config.ts";

export type Log = ReturnType<typeof createLog>;

/** Structured lines on standard error; credentials never get there. */
export function createLog(level: Config["logLevel"]) {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
