import { haveUploadsStarted } from "./start-upload.ts";
import { summaryOf } from "./summary.ts";

/** Whether this tab sends files, or will without the user. */
export async function areUploadsRunning(): Promise<boolean> {
  if (!haveUploadsStarted()) return false;
  const { items, groups } = (await import("./uploads.ts")).uploads.state();
  return summaryOf(items, groups).isRunning;
}
