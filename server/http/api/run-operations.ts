import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import type { Permission } from "../../../contract/permission.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import type { KeyAction } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { AuthorizeCall, RunOperation } from "../connection/run-operation.ts";
import { type AuditDeps, auditOperation } from "./audit-operation.ts";
import { reportDryRun } from "./dry-runs.ts";
import { requireCursor } from "./handlers/cursor.ts";
import {
  type CheckedInput,
  type HandledOperation,
  type Handlers,
  type UntypedHandler,
  type UntypedHandlers,
  untyped,
} from "./handlers/handler.ts";

export interface RunDeps extends AuditDeps {
  readonly run: RunOperation;
}

/**
 * The handlers, each run as the contract's row of its operation says: with its permission, its entry in the audit
 * log, and the report of a dry run. An operation that names no files or folders is authorized before its handler runs.
 * The handlers of the others authorize the caller themselves, with a lookup of what the request names, because that
 * comes first. Fault "forbidden".
 */
export function runOperations(
  handlers: Handlers<HandledOperation>,
  deps: RunDeps,
): UntypedHandlers {
  const running = { ...untyped(handlers) };
  for (const operation of Object.values(operations)) {
    if (operation.id === "hostFile") continue;
    running[operation.id] = runCalls(operation, running[operation.id], deps);
  }
  return running;
}

interface AuthorizingInput extends CheckedInput {
  readonly authorize: AuthorizeCall;
}

function runCalls(operation: Operation, handler: UntypedHandler, deps: RunDeps): UntypedHandler {
  const permission = typeof operation.permission === "string" ? undefined : operation.permission;
  const actions = permission?.actions ?? [];
  return (input) => {
    const { caller } = input;
    const isDryRun = caller.isDryRun === true;
    const audit = isDryRun ? undefined : auditOperation(operation, input, deps);
    const result = deps.run(
      { caller, actions },
      (authorize) => {
        const { addAuditDetails = input.addAuditDetails } = audit ?? {};
        const authorizing: AuthorizingInput = { ...input, addAuditDetails, authorize };
        const first = permission && authorizeFirst(operation, permission, authorizing);
        return first === undefined
          ? handler(authorizing)
          : chain(first, () => handler(authorizing));
      },
      audit,
    );
    return isDryRun ? reportDryRun(result) : result;
  };
}

/** undefined: the handler authorizes, or nothing limits the caller. Fault "forbidden". */
function authorizeFirst(
  { id }: Operation,
  { places }: Permission,
  { query, identity, authorize }: AuthorizingInput,
): MaybePromise<Authorized<KeyAction>> | undefined {
  // Bad input gets 400 also from a caller without the right to list.
  requireCursor(query);
  if (places.includes("subject") || places.includes("destination")) return undefined;
  // Every session may call these operations, whatever its grants: a member's reaches only what the member has made.
  const isPersonal = places.includes("descendants") || id === "listActivity";
  if (isPersonal && identity?.kind === "session") return undefined;
  return authorize(places.includes("instance") ? "instance" : undefined);
}
