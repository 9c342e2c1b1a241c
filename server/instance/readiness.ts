import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port.ts";
import type { LimitStoreState } from "../limits/port.ts";
import { Fault } from "../rules/fault.ts";

/**
 * Whether requests can be served, and what is missing that they are served without. Fault
 * "unavailable", which says what does not answer.
 */
export type IsReady = () => Promise<Readiness>;

export interface Readiness {
  readonly ready: true;
  readonly degraded?: string;
}

export interface ReadinessParts {
  readonly catalog: Pick<Catalog, "ping">;
  readonly blobs: Pick<Blobs, "reach">;
  readonly limitStoreState: () => Promise<LimitStoreState>;
  /** In milliseconds. Whoever asks is told then, however long it takes. */
  readonly patience?: number;
}

const PATIENCE_MS = 3000;
/** What was seen holds for so long, so that nobody wears the stores out by asking. */
const HOLDS_MS = 1000;

/** Tells whether requests can be served. Those who ask at the same time share one look. */
export function createReadiness({
  catalog,
  blobs,
  limitStoreState,
  patience = PATIENCE_MS,
}: ReadinessParts): IsReady {
  let seen: Promise<Readiness> | undefined;

  async function answers(what: string, ask: () => Promise<void>): Promise<void> {
    const late = Promise.withResolvers<"late">();
    const timer = setTimeout(() => late.resolve("late"), patience);
    const outcome = await Promise.race([
      ask().then(
        () => "here",
        () => "failed",
      ),
      late.promise,
    ]);
    clearTimeout(timer);
    if (outcome === "here") return;
    throw notReady(
      outcome === "late"
        ? `the ${what} has not answered for ${patience / 1000} seconds.`
        : `the ${what} cannot be used; the log says why.`,
    );
  }

  async function look(): Promise<Readiness> {
    const [ofCatalog, ofBlobs] = await Promise.allSettled([
      answers("catalog", () => catalog.ping()),
      answers("store of the bytes", () => blobs.reach()),
    ]);
    if (ofCatalog.status === "rejected") throw ofCatalog.reason;
    if (ofBlobs.status === "rejected") throw ofBlobs.reason;
    const state = await limitStoreState();
    // Whoever has just been given a wrong address should not take the place of one who is well. Later,
    // all servers lose Redis at once, and serve on without it.
    if (state === "never connected")
      throw notReady("Redis has not answered since the start; the log says why.");
    return state === "connected" ? { ready: true } : { ready: true, degraded: WITHOUT_REDIS };
  }

  return () => {
    if (seen === undefined) {
      const current = look();
      seen = current;
      const forget = (): void => {
        setTimeout(() => {
          if (seen === current) seen = undefined;
        }, HOLDS_MS).unref();
      };
      current.then(forget, forget);
    }
    return seen;
  };
}

const WITHOUT_REDIS =
  "Redis cannot be used; the log says why. Until it is back, each server counts requests by itself.";

const notReady = (why: string): Fault =>
  new Fault("unavailable", `Not ready: ${why}`, { retryAfter: 5 });
