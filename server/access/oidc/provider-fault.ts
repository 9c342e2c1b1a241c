import type * as OAuth from "oauth4webapi";
import { Fault } from "../../domain/faults/fault.ts";
import { OutgoingFailure } from "../../outgoing/outgoing-failure.ts";

export const invalidAnswer = (): Fault =>
  new Fault("unauthorized", "The answer of the sign-in provider is not valid. Sign in again.", {
    code: "invalid_token",
  });

const unavailable = (): Fault =>
  new Fault("unavailable", "The sign-in provider does not answer as it should. Try again later.", {
    code: "provider_unavailable",
    retryAfter: 30,
  });

/** Errors of the token endpoint that are the operator's to solve, such as a wrong secret. */
const SETUP_ERRORS = ["invalid_client", "unauthorized_client", "unsupported_grant_type"];

/**
 * The fault of a failed sign-in. The log gets the reason, but not the library's error itself, which has tokens
 * in its cause.
 */
export function toProviderFault(
  oauth: typeof OAuth,
  cause: unknown,
  onError: (message: string, cause: unknown) => void,
): Fault {
  if (cause instanceof Fault) return cause;
  const log = (reason: string): void =>
    onError("Signing in with the provider failed", new Error(reason));

  if (cause instanceof oauth.AuthorizationResponseError) {
    const { error } = cause;
    // Anybody can write an address with such a text, so only a word of it is shown.
    const word = /^[a-z_]{1,40}$/.test(error) ? error : "an error";
    return new Fault("unauthorized", `The provider has not signed you in: ${word}.`, {
      code: "provider_refused",
    });
  }
  if (cause instanceof OutgoingFailure) {
    log(`The provider could not be reached: ${cause.message}`);
    return unavailable();
  }
  if (cause instanceof oauth.ResponseBodyError) {
    log(`The provider answered ${cause.error.slice(0, 100)}.`);
    if (SETUP_ERRORS.includes(cause.error)) return unavailable();
    return new Fault("unauthorized", "The provider has not accepted the sign-in. Sign in again.", {
      code: "provider_refused",
    });
  }
  if (cause instanceof Error) {
    log(cause.message);
    return isMetadataError(oauth, cause) ? unavailable() : invalidAnswer();
  }
  throw cause;
}

/** Whether no token was looked at: the metadata or a status is not what it should be. */
function isMetadataError(oauth: typeof OAuth, cause: Error): boolean {
  const code = "code" in cause ? cause.code : undefined;
  return (
    code === oauth.RESPONSE_IS_NOT_CONFORM ||
    code === oauth.MISSING_SERVER_METADATA ||
    code === oauth.INVALID_SERVER_METADATA ||
    code === oauth.HTTP_REQUEST_FORBIDDEN ||
    code === oauth.REQUEST_PROTOCOL_FORBIDDEN
  );
}
