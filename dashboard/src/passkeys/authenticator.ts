import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyObject,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from "../../../sdk/src/holdall.ts";

/* What this browser and its authenticators do with passkeys. A new request cancels the one before. */

const library = () => import("@simplewebauthn/browser");

/** Asks the user to make a passkey, until `signal` is aborted. */
export async function createPasskey(
  options: PasskeyCreationOptions,
  signal: AbortSignal,
): Promise<PasskeyRegistration> {
  const { startRegistration, WebAuthnAbortService } = await library();
  signal.throwIfAborted();
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", cancel);
  try {
    return await startRegistration({ optionsJSON: options });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Asks the user to choose a passkey, and signs with it. */
export async function signWithPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  return (await library()).startAuthentication({ optionsJSON: options });
}

/**
 * Offers passkeys in the list of suggestions of the email field, and signs with the one that is chosen.
 * undefined: this browser cannot.
 */
export async function signWithSuggestion(
  options: PasskeyRequestOptions,
): Promise<PasskeyAssertion | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  return startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
}

/** Ends what waits for the user. */
export async function cancelRequest(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}

/** Tells the password manager that a passkey was removed, if the browser can: it stops offering it. */
export async function forgetPasskey({ host, credentialId }: PasskeyObject): Promise<void> {
  try {
    const { sendSignal } = await library();
    await sendSignal({ signalName: "unknownCredential", rpID: host, credentialID: credentialId });
  } catch {
    // The user can delete it there.
  }
}
