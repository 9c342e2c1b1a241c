import { actorOf, type Identity } from "../../access/authenticate.ts";
import type { Actor } from "../../domain/activity.ts";

/** Who has authenticated a request, for counting and recording it once it is done. */
export interface RequestKeys {
  note(request: Request, identity: Identity): void;
  /** The key's id; undefined: no key has authenticated the request. */
  of(request: Request): string | undefined;
  /** undefined: nobody has authenticated the request. */
  actorOf(request: Request): Actor | undefined;
}

export function createRequestKeys(): RequestKeys {
  const identities = new WeakMap<Request, Identity>();
  return {
    note: (request, identity) => void identities.set(request, identity),
    of(request) {
      const identity = identities.get(request);
      return identity?.kind === "key" ? identity.key.id : undefined;
    },
    actorOf(request) {
      const identity = identities.get(request);
      return identity && actorOf(identity);
    },
  };
}
