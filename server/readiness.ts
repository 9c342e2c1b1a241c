import type { Blobs } from "./blobs/port.ts";
import type { Catalog } from "./catalog/port.ts";
import { Fault } from "./rules/fault.ts";

/** Fault "unavailable", which says what does not answer. */
export type IsReady = () => Promise<void>;

export interface ReadinessParts {
  readonly catalog: Pick<Catalog, "ping">;
  readonly blobs: Pick<Blobs, "reach">;
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
  patience = PATIENCE_MS,
}: ReadinessParts): IsReady {
  let seen: Promise<void> | undefined;

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
    const message =
      outcome === "late"
        ? `Not ready: the ${what} has not answered for ${patience / 1000} seconds.`
        : `Not ready: the ${what} cannot be used; the log says why.`;
    throw new Fault("unavailable", message, { retryAfter: 5 });
  }

  async function look(): Promise<void> {
    const [ofCatalog, ofBlobs] = await Promise.allSettled([
      answers("catalog", () => catalog.ping()),
      answers("store of the bytes", () => blobs.reach()),
    ]);
    if (ofCatalog.status === "rejected") throw ofCatalog.reason;
    if (ofBlobs.status === "rejected") throw ofBlobs.reason;
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
