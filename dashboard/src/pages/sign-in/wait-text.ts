import { HoldallError } from "../../../../sdk/src/holdall.ts";
import { countText } from "../../text/count.ts";

/** The message for a failed sign-in. */
export function signInFailure(error: unknown): string {
  if (error instanceof HoldallError && error.status === 429) {
    return `Too many attempts. Try again in ${waitText(error.retryAfter ?? 60)}.`;
  }
  if (error instanceof HoldallError && error.status === 0) {
    return "Can't reach the server. Check your connection and try again.";
  }
  return error instanceof Error ? error.message : String(error);
}

/** Formats a wait, rounded up: seconds below 90 s, then minutes. */
export const waitText = (seconds: number): string =>
  seconds < 90
    ? countText(Math.ceil(seconds), "second")
    : countText(Math.ceil(seconds / 60), "minute");
