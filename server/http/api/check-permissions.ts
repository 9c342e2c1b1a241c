import { operations } from "../../../contract/operations.ts";
import type { Permission } from "../../../contract/permission.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import {
  type HandledOperation,
  type Handlers,
  type UntypedHandler,
  type UntypedHandlers,
  untyped,
} from "./handlers/handler.ts";

/**
 * The handlers, with a check of the caller's rights before each operation that names no files or
 * folders. The rights for the others depend on where the files and folders are, so the services check
 * them. Fault "forbidden".
 */
export function checkPermissions(handlers: Handlers<HandledOperation>): UntypedHandlers {
  const checked = { ...untyped(handlers) };
  for (const { id, permission } of Object.values(operations)) {
    if (id === "hostFile" || typeof permission === "string" || namesFiles(permission)) continue;
    const isPersonal = permission.places.includes("descendants") || id === "listActivity";
    checked[id] = checkCalls(checked[id], permission, isPersonal);
  }
  return checked;
}

const namesFiles = ({ places }: Permission): boolean =>
  places.includes("subject") || places.includes("destination");

/** `isPersonal`: people call it for what they have made themselves, whatever their grants. */
const checkCalls =
  (handler: UntypedHandler, permission: Permission, isPersonal: boolean): UntypedHandler =>
  async (input) => {
    if (isPersonal && input.identity?.kind === "session") return handler(input);
    authorize(
      input.caller,
      permission.actions,
      permission.places.includes("instance") ? "instance" : undefined,
    );
    return handler(input);
  };
