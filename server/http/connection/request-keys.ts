import type { Caller } from "../../access/authenticate.ts";

/** Which API key has authenticated a request, for counting it once it is done. */
export interface RequestKeys {
  note(request: Request, caller: Caller): void;
  /** The key's id; undefined: no key has authenticated the request. */
  of(request: Request): string | undefined;
}

export function createRequestKeys(): RequestKeys {
  const ids = new WeakMap<Request, string>();
  return {
    note(request, caller) {
      if (caller.kind === "key") ids.set(request, caller.key.id);
    },
    of: (request) => ids.get(request),
  };
}
