/**
 * The values of `error.code` of failures. A code never gets another meaning, and is never reused. The
 * texts are Markdown.
 */
export interface ErrorCodeText {
  /** The statuses of responses with this code. */
  readonly statuses: readonly [number, ...number[]];
  readonly meaning: string;
  /** The reaction of a program, or of the person who writes it. */
  readonly remedy: string;
}

export const errorCodes = {
  invalid_request: {
    statuses: [400],
    meaning:
      "A field, parameter or header breaks a rule; the message says which one and what would be right.",
    remedy: "Correct the request. The same request fails again.",
  },
  sign_in_expired: {
    statuses: [400, 401],
    meaning:
      "The browser comes back from the sign-in provider, and has begun no sign-in here that is still open.",
    remedy: "Begin again at the sign-in page. A sign-in must end within ten minutes.",
  },
  unknown_field: {
    statuses: [400],
    meaning: "The body or the query has a field that the operation does not know.",
    remedy: "Compare `details.field` with `details.known`, and correct its spelling.",
  },
  trash_disabled: {
    statuses: [400],
    meaning: "The request has `trash: true`, but `trashDays` is 0, so there is no trash.",
    remedy: "Delete without `trash`, which is for good, or set `trashDays`.",
  },
  invalid_lifetime: {
    statuses: [400],
    meaning:
      "The time when a file is to end is in the past, beyond the year 9999 or no time, or is given twice.",
    remedy: "Give seconds from now or a later time, not both; `null` or `never` for none.",
  },
  digest_mismatch: {
    statuses: [400, 422],
    meaning:
      "The bytes that arrived do not have the SHA-256 that the request names. Nothing was stored.",
    remedy: "Send the bytes again. If it happens again, the digest was computed of other bytes.",
  },
  space_required: {
    statuses: [400],
    meaning:
      "The account has several grants, and the request does not say which one it is for. `details.spaces` has their ids.",
    remedy: "Send the id of a space in `Holdall-Space`.",
  },
  unauthorized: {
    statuses: [401],
    meaning: "The request needs an API key or a session, and has none that is valid.",
    remedy: "Send a valid key in `API-Key`, or sign in again.",
  },
  wrong_credentials: {
    statuses: [401],
    meaning: "The password, code, passkey or one-time token is wrong.",
    remedy: "Ask the person again.",
  },
  invalid_token: {
    statuses: [401],
    meaning:
      "The sign-in provider answered, but its token was not made for this sign-in: the signature, issuer, audience, nonce or time is wrong.",
    remedy: "Sign in again. If it happens again, the log has the reason.",
  },
  provider_refused: {
    statuses: [401],
    meaning: "The sign-in provider did not sign the person in, or did not accept the code.",
    remedy: "Sign in again, or ask who manages the provider.",
  },
  forbidden: {
    statuses: [403],
    meaning: "The API key may know of the object, but lacks the action.",
    remedy: "Use a key with the action that the message names.",
  },
  code_required: {
    statuses: [403],
    meaning: "The password is right, and the account needs a code of the second factor.",
    remedy: "Send the request again with `code`.",
  },
  account_disabled: {
    statuses: [403],
    meaning: "The credentials are right, and the account is disabled.",
    remedy: "Ask an owner of the instance to enable it.",
  },
  no_grant: {
    statuses: [403],
    meaning: "The account is a member's, and no owner has granted it a folder.",
    remedy: "Ask an owner of the instance for a grant.",
  },
  unknown_space: {
    statuses: [403],
    meaning: "The request names a space that is no grant of the account.",
    remedy: "Use the id of a space from `GET /auth/session`.",
  },
  second_factor_required: {
    statuses: [403],
    meaning:
      "Every account needs two-step sign-in, and the session has none yet. It can only turn it on.",
    remedy: "Turn on two-step sign-in, or add a passkey and sign in with it.",
  },
  not_admitted: {
    statuses: [403],
    meaning: "The sign-in provider knows the person, who has no account here and no invitation.",
    remedy: "Ask an owner for an invitation, or to be named in `OIDC_ALLOWED`.",
  },
  password_sign_in_off: {
    statuses: [403],
    meaning: "`PASSWORD_SIGN_IN` is `false`: passwords do not sign in.",
    remedy: "Sign in with the provider or a passkey.",
  },
  not_found: {
    statuses: [404],
    meaning: "It does not exist, or the caller may not know of it.",
    remedy: "Check the id, the key or the path, and the folder that the API key is limited to.",
  },
  method_not_allowed: {
    statuses: [405],
    meaning: "The path does not support the method.",
    remedy: "Use one of the methods in `Allow`.",
  },
  too_slow: {
    statuses: [408],
    meaning: "The body arrives too slowly, or stopped.",
    remedy: "Send it again; a resumable upload continues where it stopped.",
  },
  conflict: {
    statuses: [409],
    meaning: "The object is in another state than the request assumes; the message says which.",
    remedy: "Read the object again, then decide.",
  },
  last_owner: {
    statuses: [409],
    meaning: "The account is the only owner that is not disabled, and the instance needs one.",
    remedy: "Make another account an owner first.",
  },
  name_taken: {
    statuses: [409, 422],
    meaning:
      "Something in the folder has the name already, or two files of the request have the same one.",
    remedy: "Use another name, or `onConflict`.",
  },
  request_running: {
    statuses: [409],
    meaning: "A request with the same `Idempotency-Key` has not ended yet.",
    remedy: "Repeat the same request after `details.retryAfter` seconds.",
  },
  email_taken: {
    statuses: [409],
    meaning:
      "Another account has the email address that the sign-in provider gives. An address never connects a person with an account.",
    remedy:
      "Sign in to that account, and connect the provider in its settings; or ask an owner to change its address.",
  },
  identity_taken: {
    statuses: [409],
    meaning: "The person at the sign-in provider signs in to another account already.",
    remedy: "Disconnect the provider there first, or sign in as another person at the provider.",
  },
  wrong_offset: {
    statuses: [409],
    meaning: "The upload is at another offset than the request says.",
    remedy: "Continue at `Upload-Offset` of the response.",
  },
  gone: {
    statuses: [410],
    meaning:
      "It existed, and will not come back: an upload or a batch that has ended, or a cursor that is too old.",
    remedy: "Begin anew.",
  },
  precondition_failed: {
    statuses: [412],
    meaning: "A condition of the request, such as `If-Match`, does not hold.",
    remedy: "Read the file again, then decide.",
  },
  unsupported_version: {
    statuses: [412],
    meaning: "`Tus-Resumable` names a version of tus that the server does not speak.",
    remedy: "Use the version in `Tus-Version`.",
  },
  too_large: {
    statuses: [413],
    meaning:
      "A file, a body or a set of files exceeds a limit. `details.limit` has the limit if it is one of bytes.",
    remedy: "Send less at once, or raise the limit that the message names.",
  },
  too_many: {
    statuses: [413],
    meaning:
      "The request, the batch, the link, the copy or the undo is about more files than it may be: `details.limit`.",
    remedy: "Send them in several requests.",
  },
  unsupported_media_type: {
    statuses: [415],
    meaning: "The body or the file has a media type that the operation does not take.",
    remedy: "Use one of the types that the message names.",
  },
  range_not_satisfiable: {
    statuses: [416],
    meaning: "The range starts past the end of the file.",
    remedy: "Read the size in `Content-Range`, and ask for bytes within it.",
  },
  unprocessable: {
    statuses: [422],
    meaning: "It cannot be done as things are, and trying again does not help.",
    remedy: "See the message.",
  },
  idempotency_key_reused: {
    statuses: [422],
    meaning: "The caller has sent another request with this `Idempotency-Key` within 24 hours.",
    remedy: "Use a new key for each request, and the same one only to repeat it.",
  },
  locked: {
    statuses: [423],
    meaning: "Another request works on the upload.",
    remedy: "Try again after `details.retryAfter` seconds.",
  },
  rate_limited: {
    statuses: [429],
    meaning: "Too many requests, or too many open uploads.",
    remedy:
      "Wait for `details.retryAfter` seconds if they are given; finish open uploads otherwise.",
  },
  checksum_mismatch: {
    statuses: [460],
    meaning: "The bytes of a `PATCH` do not have their `Upload-Checksum`. They were dropped.",
    remedy: "Send the same bytes again at the same offset.",
  },
  unexpected: {
    statuses: [500],
    meaning: "A fault of the server. The log has the details under the request id.",
    remedy: "Try again once; report it with `X-Request-Id` if it stays.",
  },
  unavailable: {
    statuses: [503],
    meaning: "The service cannot do it at the moment. Nothing was changed.",
    remedy: "Try again after `details.retryAfter` seconds.",
  },
  provider_unavailable: {
    statuses: [503],
    meaning: "The sign-in provider is down, too slow, or does not accept this server's settings.",
    remedy: "Try again later. The log has the reason.",
  },
  no_space: {
    statuses: [507],
    meaning: "There is not enough free space on the volume.",
    remedy: "Delete something, or give the volume more space.",
  },
  quota_exceeded: {
    statuses: [507],
    meaning:
      "The folder has a quota, and the files do not fit into it. `details` has the limit and what is used: `limit` and `used` in bytes, or `limitFiles` and `usedFiles`.",
    remedy: "Delete files of the folder and empty the trash, or ask for a larger quota.",
  },
} as const satisfies Record<string, ErrorCodeText>;

export type ErrorCode = keyof typeof errorCodes;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);

/** Every code, in the order of their statuses. */
export const allErrorCodes: readonly ErrorCode[] = Object.keys(errorCodes).filter(isErrorCode);

/** The code of failures with this status of which nothing more is known. */
export function generalCode(status: number): ErrorCode {
  const found = allErrorCodes.find((code) => errorCodes[code].statuses[0] === status);
  if (found === undefined) throw new Error(`No error code has the status ${status}.`);
  return found;
}
