import type { AuditedOperation } from "../../contract/activity.ts";
import type { Operations } from "../../contract/operations.ts";
import type { Caller } from "../access/authenticate.ts";
import type { Activity } from "../insight/activity.ts";
import type { Actor, Detail, Subject } from "../rules/activity.ts";
import { Fault } from "../rules/fault.ts";
import type { Handler, Input } from "./handlers/handler.ts";
import { statusOf } from "./reply.ts";

/** What is told of a request beside its action and how it ended. Left out: nothing to tell. */
export interface AuditDetails {
  readonly actor?: Actor | undefined;
  readonly subject?: Subject | undefined;
  readonly detail?: Detail | undefined;
}

/** How an operation is told of. Neither part ever holds a secret. */
export interface AuditMapper<Id extends AuditedOperation> {
  /** From the request alone, before it is carried out. It must not throw. */
  asked(input: Input<Operations[Id]>): AuditDetails | Promise<AuditDetails>;
  /** What is added once it is done. */
  done(data: Awaited<ReturnType<Handler<Id>>>, input: Input<Operations[Id]>): AuditDetails;
}

/** The handler, with each request noted: what was done, and what was refused and why. */
export function audited<Id extends AuditedOperation>(
  activity: Activity,
  action: Id,
  handler: Handler<Id>,
  { asked, done }: AuditMapper<Id>,
): Handler<Id> {
  return async (input) => {
    const before = await asked(input);
    const base = { action, address: input.client };
    try {
      const data = await handler(input);
      const after = done(data, input);
      activity.record({
        ...base,
        outcome: "done",
        status: 200,
        actor: after.actor ?? before.actor ?? actorOf(input.caller),
        subject: after.subject ?? before.subject ?? null,
        detail: { ...before.detail, ...after.detail },
      });
      return data;
    } catch (error) {
      const isFault = error instanceof Fault;
      activity.record({
        ...base,
        outcome: "failed",
        status: isFault ? statusOf(error) : 500,
        actor: before.actor ?? actorOf(input.caller),
        subject: before.subject ?? null,
        detail: { ...before.detail, message: isFault ? error.message : "Unexpected server error" },
      });
      throw error;
    }
  };
}

function actorOf(caller: Caller | undefined): Actor {
  if (caller?.kind === "key") return { kind: "key", id: caller.key.id, name: caller.key.name };
  if (caller === undefined) return { kind: "none", id: null, name: null };
  return { kind: "account", id: caller.account.id, name: caller.account.email };
}
