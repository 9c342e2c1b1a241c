import type { Caller } from "../access/authenticate.ts";
import type { KeyTraffic } from "../insight/key-traffic.ts";
import type { Traffic } from "../insight/traffic.ts";
import type { MaybePromise } from "../rules/maybe-promise.ts";
import type { RequestKeys } from "./request-keys.ts";

/**
 * Counts requests for files, except those with a session: the dashboard's own views are no traffic. Of a
 * request without a cookie or with an API key, no session is looked up.
 */
export interface RequestTraffic {
  countRequest(status: number, request: Request): void;
  countBytes(bytes: number, request: Request): void;
}

export interface RequestTrafficParts {
  readonly traffic: Pick<Traffic, "countRequest" | "countBytes">;
  readonly keyTraffic: Pick<KeyTraffic, "countBytes">;
  readonly requestKeys: Pick<RequestKeys, "of">;
  readonly identify: (request: Request) => MaybePromise<Caller | undefined>;
}

export function createRequestTraffic(parts: RequestTrafficParts): RequestTraffic {
  const { traffic, keyTraffic, requestKeys, identify } = parts;
  const known = new WeakMap<Request, Promise<boolean>>();

  async function findSession(request: Request): Promise<boolean> {
    try {
      return (await identify(request))?.kind === "session";
    } catch {
      // The catalog does not reply.
      return false;
    }
  }

  /** A zip is counted piece by piece. */
  function hasSession(request: Request): Promise<boolean> {
    const found = known.get(request) ?? findSession(request);
    known.set(request, found);
    return found;
  }

  const mayHaveSession = ({ headers }: Request): boolean =>
    headers.get("cookie") !== null && headers.get("api-key") === null;

  return {
    countRequest(status, request) {
      if (!mayHaveSession(request)) return traffic.countRequest(status);
      void hasSession(request).then((isOwn) => isOwn || traffic.countRequest(status));
    },
    countBytes(bytes, request) {
      const key = requestKeys.of(request);
      if (key !== undefined) keyTraffic.countBytes(key, bytes);
      if (!mayHaveSession(request)) return traffic.countBytes(bytes);
      void hasSession(request).then((isOwn) => isOwn || traffic.countBytes(bytes));
    },
  };
}
