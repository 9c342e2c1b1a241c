import type { Action } from "../../contract/activity.ts";
import type { Access } from "../access/access.ts";
import type { Config } from "../config/config.ts";
import type { Detail, NewActivity, Subject } from "../domain/activity.ts";
import { type Activity, createActivity } from "../insight/activity.ts";
import { openInstance } from "../instance/open-instance.ts";

/** Opens keys, accounts and the activity log for a command, with or without a running server. */
export async function withCredentials<T>(
  config: Config,
  work: (access: Access, activity: Activity) => Promise<T>,
): Promise<T> {
  const onError = (message: string): void => console.error(message);
  const instance = await openInstance(config, { mode: "credentials", onError });
  try {
    const settings = await instance.openSettings();
    const retentionDays = (): number => settings.current().activityRetentionDays;
    const activity = createActivity({ log: instance.catalog, retentionDays, onError });
    try {
      return await work(instance.openAccess(), activity);
    } finally {
      await activity.close();
    }
  } finally {
    await instance.close();
  }
}

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
