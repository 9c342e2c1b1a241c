import type { Actor } from "../domain/activity.ts";
import type { Caller } from "./authenticate.ts";

/** The caller as the audit log and the change feed name it. */
export function actorOf(caller: Caller | undefined): Actor {
  if (caller?.kind === "key") return { kind: "key", id: caller.key.id, name: caller.key.name };
  if (caller === undefined) return { kind: "none", id: null, name: null };
  return { kind: "account", id: caller.account.id, name: caller.account.email };
}
