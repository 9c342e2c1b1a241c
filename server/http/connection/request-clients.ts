import type { Identity } from "../../access/authenticate.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";

/**
 * Tells whose turn a request takes, before it is authenticated: that of the API key or session whose
 * credentials it has, if they were valid lately, otherwise that of its address. Invented credentials are
 * no clients of their own. Gives no access.
 */
export interface RequestClients {
  of(request: Request, claim: Claim): string;
  /** The request has been authenticated. */
  note(request: Request, identity: Identity): void;
}

/** What is known of a request that has not been authenticated. */
export interface Claim {
  readonly address: string;
  /** undefined: the request has no credentials. */
  readonly credentials: string | undefined;
}

const MAX_KNOWN = 20_000;
/** In UTF-16 code units. No credentials are longer. */
const MAX_LENGTH = 256;

export function createRequestClients(): RequestClients {
  const claims = new WeakMap<Request, string>();
  const clientCache = createTwoGenerationCache<string, string>(MAX_KNOWN);
  return {
    of(request, { address, credentials }) {
      if (credentials === undefined || credentials.length > MAX_LENGTH) return address;
      const claim = `${address} ${credentials}`;
      const client = clientCache.get(claim);
      if (client !== undefined) return client;
      claims.set(request, claim);
      return address;
    },
    note(request, identity) {
      const claim = claims.get(request);
      if (claim !== undefined) clientCache.set(claim, clientOf(identity), 1);
    },
  };
}

const clientOf = (identity: Identity): string =>
  identity.kind === "key" ? `key ${identity.key.id}` : `session ${identity.session.id}`;
