import { HoldallError } from "../../../../sdk/src/holdall.ts";
import { countText } from "../../text/count.ts";

/** Why signing in failed, for people. */
export function signInFailure(error: unknown): string {
  if (error instanceof HoldallError && error.status === 429) {
    return `Too many tries. Try again in ${waitText(error.retryAfter ?? 60)}.`;
  }
  if (error instanceof HoldallError && error.status === 0) {
    return "The server cannot be reached. Check the connection and try again.";
  }
  return error instanceof Error ? error.message : String(error);
}

/** A wait for people: seconds while it is short, then whole minutes, never less than it is. */
export const waitText = (seconds: number): string =>
  seconds < 90
    ? countText(Math.ceil(seconds), "second")
    : countText(Math.ceil(seconds / 60), "minute");
