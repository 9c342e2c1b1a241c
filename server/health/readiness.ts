import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { LimitStoreState } from "../limits/port.ts";

/** The readiness check. Fault "unavailable": the server cannot serve requests; the message says why. */
export type IsReady = () => Promise<Readiness>;

export interface Readiness {
  readonly ready: true;
  /** What is unavailable, although requests can be served without it. */
  readonly degraded?: string;
}

export interface ReadinessDeps {
  readonly catalog: Pick<Catalog, "ping">;
  readonly blobs: Pick<Blobs, "ping">;
  readonly limitStoreState: () => Promise<LimitStoreState>;
  readonly isStopping: () => boolean;
  readonly timeoutMs?: number;
}

/** All callers share one result for this long, so that probes do not load the stores. */
const CACHE_MS = 1000;

export function createReadiness({
  catalog,
  blobs,
  limitStoreState,
  isStopping,
  timeoutMs = 3000,
}: ReadinessDeps): IsReady {
  let cached: Promise<Readiness> | undefined;

  async function check(): Promise<Readiness> {
    const problems = await Promise.all([
      probe("catalog", () => catalog.ping(), timeoutMs),
      probe("blob store", () => blobs.ping(), timeoutMs),
    ]);
    const problem = problems.find((each) => each !== undefined);
    if (problem !== undefined) throw notReady(problem);
    const state = await limitStoreState();
    return state === "connected" ? { ready: true } : { ready: true, degraded: WITHOUT_REDIS };
  }

  return () => {
    if (isStopping()) return Promise.reject(notReady("the server is stopping."));
    if (cached === undefined) {
      const current = check();
      cached = current;
      const expire = (): void => {
        setTimeout(() => {
          if (cached === current) cached = undefined;
        }, CACHE_MS).unref();
      };
      current.then(expire, expire);
    }
    return cached;
  };
}

/**
 * Whether a part of the server responds in time: undefined, or a sentence with the problem.
 * Never throws.
 */
export async function probe(
  name: string,
  ping: () => Promise<void>,
  timeoutMs: number,
): Promise<string | undefined> {
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => timeout.resolve("timeout"), timeoutMs);
  const outcome = await Promise.race([
    ping().then(
      () => "ok",
      () => "failed",
    ),
    timeout.promise,
  ]);
  clearTimeout(timer);
  if (outcome === "ok") return undefined;
  return outcome === "timeout"
    ? `the ${name} has not responded for ${timeoutMs / 1000} seconds.`
    : `the ${name} cannot be used; the log says why.`;
}

const WITHOUT_REDIS =
  "Redis is unavailable; the log says why. Until it is back, each server counts requests separately.";

const notReady = (why: string): Fault =>
  new Fault("unavailable", `Not ready: ${why}`, { retryAfter: 5 });
