import { type Caller, callerWith } from "../domain/callers/caller.ts";
import { actorOf, type Identity, isMember, scopeOf } from "./authenticate.ts";

/** The caller on whose behalf a request with this identity acts. undefined: it has no credentials. */
export function callerOf(identity: Identity | undefined): Caller {
  const caller = callerWith(actorOf(identity), scopeOf(identity));
  return isMember(identity) ? { ...caller, isMember: true } : caller;
}
