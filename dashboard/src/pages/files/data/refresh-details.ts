import type { QueryClient } from "@tanstack/react-query";

/** The latest activity about a file or folder. */
export const subjectActivityKey = (id: string) => ["activity", "about", id] as const;

/** The versions of a file. */
export const versionsKey = (fileId: string) => ["file versions", fileId] as const;

/** A change is in the activity log only after its request has ended, which may be later than its event. */
const LOGGED_AFTER_MS = 1_500;

let activityTimer: ReturnType<typeof setTimeout> | undefined;

/** Reads what the details panel shows of files and folders again, after they were changed. */
export async function refreshDetails(client: QueryClient): Promise<void> {
  clearTimeout(activityTimer);
  activityTimer = setTimeout(
    () => void client.invalidateQueries({ queryKey: ["activity", "about"] }),
    LOGGED_AFTER_MS,
  );
  await client.invalidateQueries({ queryKey: ["file versions"] });
}
