import type { ActivityObject, Holdall } from "../sdk/src/holdall.ts";

/** Waits until a matching event appears in the activity log, which is written asynchronously. */
export async function waitForActivity(
  { activity }: Holdall,
  matches: (event: ActivityObject) => boolean,
): Promise<void> {
  for (let round = 0; round < 1200; round += 1) {
    const page = await activity.list({ limit: 200 });
    if (page.activity.some(matches)) return;
    await Bun.sleep(100);
  }
  throw new Error("The event was never recorded.");
}
