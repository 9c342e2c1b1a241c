import type { Action } from "../../contract/activity.ts";
import type { Detail, NewActivity, Subject } from "../domain/activity.ts";

/** The activity entry of a command. */
export const byCommand = (
  action: Action,
  subject: Subject,
  detail: Detail = {},
): Omit<NewActivity, "at"> => ({
  action,
  outcome: "done",
  status: 200,
  actor: { kind: "command", id: null, name: null },
  address: null,
  subject,
  detail,
});
