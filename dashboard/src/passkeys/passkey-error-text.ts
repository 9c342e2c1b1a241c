import { signInErrorText } from "../pages/sign-in/sign-in-error-text.ts";

/** The message for a failure of the browser, its authenticator or the server. */
export function passkeyErrorText(error: unknown): string {
  const name = causeOf(error).name;
  if (name === "NotAllowedError" || name === "AbortError") {
    return "The browser was cancelled, or took too long. Try again.";
  }
  if (name === "InvalidStateError") return "There is a passkey on this device already.";
  if (name === "NotSupportedError" || name === "ConstraintError") {
    return "This device can't make a passkey, because it can't check who uses it.";
  }
  return signInErrorText(error);
}

/** Whether the user, or another request, ended it. */
export const wasCancelled = (error: unknown): boolean =>
  ["NotAllowedError", "AbortError"].includes(causeOf(error).name);

/** The library wraps errors of the browser. */
function causeOf(error: unknown): { readonly name: string } {
  if (!(error instanceof Error)) return { name: "" };
  return error.cause instanceof Error ? error.cause : error;
}
