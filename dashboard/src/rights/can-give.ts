import type { KeyAction } from "../../../sdk/src/holdall.ts";
import { can } from "./rights.ts";

/** Whether the account may give an API key this right: members give what their space has. */
export const canGive = (action: KeyAction): boolean => can(action === "keys" ? "admin" : action);
