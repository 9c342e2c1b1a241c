import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { sleep } from "../../runtime/sleep.ts";

export interface DrainDeps {
  /** From now on, each response closes its connection, and each request waits for `admit` first. */
  readonly closeConnections: (admit: () => MaybePromise<void>) => void;
  /** Whether a proxy is known to be in front, so that the server drains also while no request arrives. */
  readonly isBehindProxy: boolean;
}

export interface Drain {
  /** Resolves when the server may stop listening. */
  readonly done: Promise<void>;
  /** Call this when the server no longer listens: it lets the last requests go on. */
  release(): void;
}

/** Longer than the three checks with two seconds between them after which HAProxy stops sending by default. */
const DRAIN_MS = 7000;
/** Without a request in this time, nothing sends any. */
const NOTICE_MS = 300;
/** How long the last requests wait before the server stops listening. */
const HOLD_MS = 150;
/** After this long they no longer wait for the end of listening. */
const MAX_HOLD_MS = 2000;

/**
 * Serves on for some seconds and lets connections end with their next response, since a request on a connection
 * that the server closes at that moment is lost. A proxy without health checks sends new connections until the end,
 * and those that are not accepted yet are lost, too. So the last requests are held until the server no longer
 * listens: with nothing else to do, it accepts each connection at once.
 */
export function startDrain({ closeConnections, isBehindProxy }: DrainDeps): Drain {
  const released = Promise.withResolvers<void>();
  let isHolding = false;
  let hasRequests = false;

  async function serveOn(): Promise<void> {
    closeConnections(() => {
      hasRequests = true;
      return isHolding ? released.promise : undefined;
    });
    await sleep(NOTICE_MS);
    if (!hasRequests && !isBehindProxy) return;
    await sleep(DRAIN_MS - NOTICE_MS);
    isHolding = true;
    setTimeout(released.resolve, HOLD_MS + MAX_HOLD_MS).unref();
    await sleep(HOLD_MS);
  }

  return { done: serveOn(), release: released.resolve };
}
