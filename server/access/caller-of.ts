import { type Caller, callerWith } from "../domain/callers/caller.ts";
import { actorOf, type Identity, scopeOf } from "./authenticate.ts";

/** The caller on whose behalf a request with this identity acts. undefined: it has no credentials. */
export const callerOf = (identity: Identity | undefined): Caller =>
  callerWith(actorOf(identity), scopeOf(identity));
