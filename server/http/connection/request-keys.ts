import type { Identity } from "../../access/authenticate.ts";

/** Which API key has authenticated a request, for counting it once it is done. */
export interface RequestKeys {
  note(request: Request, identity: Identity): void;
  /** The key's id; undefined: no key has authenticated the request. */
  of(request: Request): string | undefined;
}

export function createRequestKeys(): RequestKeys {
  const ids = new WeakMap<Request, string>();
  return {
    note(request, identity) {
      if (identity.kind === "key") ids.set(request, identity.key.id);
    },
    of: (request) => ids.get(request),
  };
}
