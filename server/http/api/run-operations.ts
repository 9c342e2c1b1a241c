import { operations } from "../../../contract/operations.ts";
import type { Permission } from "../../../contract/permission.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import type { KeyAction } from "../../domain/records.ts";
import { requireCursor } from "./handlers/cursor.ts";
import {
  type Authorize,
  type CheckedInput,
  type HandledOperation,
  type Handlers,
  type UntypedHandler,
  type UntypedHandlers,
  untyped,
} from "./handlers/handler.ts";

/**
 * The handlers, each with the means to authorize its caller as the contract's row of its operation says. An operation
 * that names no files or folders is authorized before its handler runs. The handlers of the others do it themselves,
 * with a lookup of what the request names, because that comes first. Fault "forbidden".
 */
export function checkPermissions(handlers: Handlers<HandledOperation>): UntypedHandlers {
  const checked = { ...untyped(handlers) };
  for (const { id, permission } of Object.values(operations)) {
    if (id === "hostFile" || typeof permission === "string") continue;
    checked[id] = checkCalls(checked[id], id, permission);
  }
  return checked;
}

function checkCalls(
  handler: UntypedHandler,
  id: HandledOperation,
  permission: Permission,
): UntypedHandler {
  const { actions, places } = permission;
  const namesFiles = places.includes("subject") || places.includes("destination");
  // Every session may call these operations, whatever its grants: a member's reaches only what the member has made.
  const isPersonal = places.includes("descendants") || id === "listActivity";
  return async (input) => {
    // Bad input gets 400 also from a caller without the right to list.
    requireCursor(input.query);
    const authorizing = withAuthorize(input, actions);
    if (namesFiles || (isPersonal && input.identity?.kind === "session")) {
      return handler(authorizing);
    }
    if (places.includes("instance")) authorize(input.caller, actions, "instance");
    else authorize(input.caller, actions);
    return handler(authorizing);
  };
}

interface Authorizing extends CheckedInput {
  readonly authorize: Authorize<KeyAction>;
}

const withAuthorize = (input: CheckedInput, actions: readonly KeyAction[]): Authorizing => ({
  ...input,
  authorize: (find) => authorize(input.caller, actions, find),
});
