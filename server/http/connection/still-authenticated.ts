import type { Identity } from "../../access/authenticate.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";

/** Small requests end before this, and are authenticated only once. */
export const AUTHENTICATED_FOR_MS = 100;

/**
 * Call it when the request has been authenticated. What it returns authenticates the request again
 * if that was a while ago. Fault "unauthorized": its credentials were revoked or expired meanwhile.
 */
export function createStillAuthenticated(
  authenticateAgain: () => MaybePromise<Identity | undefined>,
): () => Promise<void> {
  const authenticatedAt = performance.now();
  return async () => {
    if (performance.now() - authenticatedAt < AUTHENTICATED_FOR_MS) return;
    if ((await authenticateAgain()) === undefined) throw new Fault("unauthorized", "Unauthorized");
  };
}
