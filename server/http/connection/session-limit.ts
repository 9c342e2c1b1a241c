import type { Authenticate, RequestCredentials } from "../../access/authenticate.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import { createMemoryRateLimit } from "../../limits/memory-rate-limit.ts";
import type { RateLimit, Verdict } from "../../limits/port.ts";

/** Counts the requests of sessions apart from those of strangers at the same address. */
export interface SessionLimit {
  /** undefined: the token is of no live session, so the request counts against its client. */
  take(request: SessionRequest): MaybePromise<Verdict | undefined>;
  /** The token was found to be the session's. */
  cacheToken(token: string, sessionId: string): void;
}

export interface SessionRequest {
  readonly token: string;
  readonly credentials: RequestCredentials;
  /** The client, as the rate limits count it. */
  readonly client: string;
}

export interface SessionLimitDeps {
  /** Counts by the ids of sessions. */
  readonly limit: RateLimit;
  readonly authenticate: Authenticate;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Known {
  readonly sessionId: string;
  readonly until: number;
}

/** How long a token counts as its session's without being looked up. Access is not granted by this. */
const CACHED_MS = 60_000;
const MAX_SESSIONS = 10_000;
/**
 * Tokens looked up per client and minute before the client's own limit is asked. Without it, invented
 * tokens would cost a query each, beyond any limit.
 */
const MAX_LOOKUPS = 60;

export function createSessionLimit({
  limit,
  authenticate,
  now = () => performance.now(),
}: SessionLimitDeps): SessionLimit {
  const knownTokenCache = createTwoGenerationCache<string, Known>(2 * MAX_SESSIONS);
  const lookups = createMemoryRateLimit({ limit: MAX_LOOKUPS, now });

  const cacheToken = (token: string, sessionId: string): void =>
    knownTokenCache.set(token, { sessionId, until: now() + CACHED_MS }, 1);

  return {
    cacheToken,
    take({ token, credentials, client }) {
      const known = knownTokenCache.get(token);
      if (known !== undefined && now() < known.until) return limit.take(known.sessionId);
      return chain(lookups.take(client), ({ allowed }) => {
        if (!allowed) return undefined;
        return authenticate(credentials).then((identity) => {
          if (identity?.kind !== "session") return undefined;
          cacheToken(token, identity.session.id);
          return limit.take(identity.session.id);
        });
      });
    },
  };
}
