import { type Identity, scopeOf } from "../../access/authenticate.ts";
import { hasRightsOf } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";

/** Small requests end before this, and are authenticated only once. */
export const AUTHENTICATED_FOR_MS = 100;

export interface StillAuthenticated {
  /** Authenticates the request again. undefined: it lost credentials or rights meanwhile. */
  readonly authenticateAgain: () => MaybePromise<Identity | undefined>;
  /**
   * To be called before a change whose body may have taken long: authenticates the request again. Fault
   * "unauthorized": it lost credentials or rights meanwhile.
   */
  readonly requireStillAuthenticated: () => Promise<void>;
}

/** Call it when the request has been authenticated by `identify`. undefined: anyone may send it. */
export function createStillAuthenticated(
  identity: Identity | undefined,
  identify: () => MaybePromise<Identity | undefined>,
): StillAuthenticated {
  const authenticatedAt = performance.now();
  const authenticateAgain = (): MaybePromise<Identity | undefined> =>
    chain(identify(), (again) =>
      // A request that anyone may send has no rights to lose.
      identity === undefined || hasRightsOf(scopeOf(again), scopeOf(identity)) ? again : undefined,
    );
  return {
    authenticateAgain,
    async requireStillAuthenticated() {
      if (performance.now() - authenticatedAt < AUTHENTICATED_FOR_MS) return;
      if ((await authenticateAgain()) === undefined) {
        throw new Fault("unauthorized", "Unauthorized");
      }
    },
  };
}
