import type { ActivityObject, Holdall } from "../sdk/src/holdall.ts";
import { eventually } from "../test/expectations.ts";

/** Waits until a matching event appears in the activity log, which is written asynchronously. */
export async function waitForActivity(
  { activity }: Holdall,
  matches: (event: ActivityObject) => boolean,
): Promise<void> {
  await eventually("the event is recorded", async () =>
    (await activity.list({ limit: 200 })).activity.some(matches),
  );
}
