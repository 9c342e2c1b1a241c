import { HoldallError } from "../../../../sdk/src/connection/error.ts";
import { formatCount } from "../../text/format-count.ts";

/** The message for a failed sign-in. */
export function signInErrorText(error: unknown): string {
  if (error instanceof HoldallError && error.status === 429) {
    return `Too many attempts. Try again in ${formatWait(error.retryAfter ?? 60)}.`;
  }
  if (error instanceof HoldallError && error.status === 0) {
    return "Can't reach the server. Check your connection and try again.";
  }
  return error instanceof Error ? error.message : String(error);
}

/** Formats a wait, rounded up: seconds below 90 s, then minutes. */
export const formatWait = (seconds: number): string =>
  seconds < 90
    ? formatCount(Math.ceil(seconds), "second")
    : formatCount(Math.ceil(seconds / 60), "minute");
