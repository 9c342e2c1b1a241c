import { refusesConditions, SAFE_METHODS } from "./conditions.ts";
import { makesFactor } from "./makes-factor.ts";
import type { Operation } from "./operation.ts";
import { forbiddenCause } from "./permission.ts";
import { type ErrorCode, errorCodes, generalCode } from "./text/error-codes.ts";

export interface Failure {
  readonly status: number;
  /** Markdown. */
  readonly cause: string;
  /** The operation declares the status itself, so the cause is specific to it. */
  readonly isSpecific: boolean;
  /** The values of `error.code`; there is at least one. */
  readonly codes: readonly ErrorCode[];
}

/** Failures that every operation has. */
export const COMMON_FAILURES: Readonly<Record<number, string>> = {
  405: "The path does not support this method. `Allow` lists the methods that it supports.",
  429: "Too many requests. Try again after the number of seconds in `Retry-After`.",
  500: "Unexpected server error.",
  503: "The service is temporarily unavailable. Nothing was changed. Try again later.",
};

/** The meaning of these statuses for most operations. */
export const USUAL_FAILURES: Readonly<Record<number, string>> = {
  ...COMMON_FAILURES,
  401: "The API key is missing or invalid, and there is no session.",
  400: "A query parameter is unknown.",
  413: "The body is larger than 1 MiB.",
  415: "The body has a `Content-Encoding`, which the server does not decode.",
};

const OTHER_SITE = "A page of another site sent the request.";
const NO_SPACE_NAMED =
  "The session is a member's, who has several spaces, and the request names none.";
const NO_GRANT = "The session is a member's, and has no grant for the request.";
const NO_FACTOR = "The instance requires two-step sign-in, and the session has none.";
export const NO_SPACE = "There is not enough free space on the volume.";
const NO_SESSION = "There is no session.";
const MALFORMED = "The body is not a JSON object, or a field has the wrong type.";
const CONDITIONAL =
  "The request has a condition, such as `If-Match`, which the operation does not take.";
const RANGE_NOT_SATISFIABLE = "The range starts past the end of the file.";
const PRECONDITION_FAILED =
  "The file has changed: it does not match `If-Match` or `If-Unmodified-Since`.";
const OTHER_VERSION = "`Tus-Resumable` is not 1.0.0. `Tus-Version` has the version of the server.";
const ANONYMOUS_TOO_LARGE = "The body is larger than 16 KiB.";
const BULK_TOO_LARGE = "The body is larger than 8 MiB.";

/** Every failure of an operation, by status: those that it declares and those that follow from its kind. */
export function failuresOf(operation: Operation): Failure[] {
  const general: Record<number, string | undefined> = { ...COMMON_FAILURES };
  if (operation.access === "caller") general[401] = USUAL_FAILURES[401];
  if (operation.access === "account") {
    general[401] = NO_SESSION;
    if (!makesFactor(operation.id)) general[403] = NO_FACTOR;
  }
  if (operation.access === "caller") general[403] = NO_GRANT;
  // At a hosting URL, a file that may not be read looks missing.
  if (operation.access === "caller" && typeof operation.permission === "object") {
    general[403] = forbiddenCause(operation.permission);
  }
  const changes = !SAFE_METHODS.includes(operation.method);
  const isAnonymous = operation.access === "anyone" || operation.access === "token";
  if (operation.ignoresUnknown !== true) {
    general[400] = USUAL_FAILURES[400];
    // A body is read also where there should be none, to refuse its fields.
    if (operation.body === undefined) {
      general[413] = isAnonymous ? ANONYMOUS_TOO_LARGE : USUAL_FAILURES[413];
    }
  } else if (operation.access === "caller") general[400] = NO_SPACE_NAMED;
  if (operation.method !== "GET" && operation.method !== "HEAD") general[415] = USUAL_FAILURES[415];
  if (operation.access === "anyone" && changes) general[401] = OTHER_SITE;
  if (changes) general[507] = NO_SPACE;
  if (refusesConditions(operation)) general[400] = CONDITIONAL;
  if (operation.body !== undefined && "json" in operation.body) {
    general[400] = MALFORMED;
    const usual = operation.body.isBulk === true ? BULK_TOO_LARGE : USUAL_FAILURES[413];
    general[413] = isAnonymous ? ANONYMOUS_TOO_LARGE : usual;
  }
  if (operation.tus === true && operation.method !== "OPTIONS") general[412] = OTHER_VERSION;
  const hasConditions = "file" in operation.response && operation.response.hasValidators !== false;
  if (hasConditions || operation.isConditional === true) {
    general[412] = PRECONDITION_FAILED;
  }
  if ("file" in operation.response) general[416] = RANGE_NOT_SATISFIABLE;
  const statuses = new Set([...Object.keys(general), ...Object.keys(operation.errors)].map(Number));
  return [...statuses]
    .sort((one, other) => one - other)
    .map((status) => {
      const specific = operation.errors[status];
      // 401 can mean a wrong password or a missing session; every other status has one meaning.
      const also = status === 401 ? general[status] : undefined;
      return {
        status,
        cause:
          specific === undefined
            ? (general[status] ?? "")
            : [specific, also].filter(Boolean).join(" Or: "),
        isSpecific: specific !== undefined,
        codes: codesOf(operation, status),
      };
    });
}

/** The codes of sessions that may do nothing. */
const MEMBER_CODES = ["no_grant", "unknown_space", "second_factor_required"] as const;

/** Codes with two statuses: in tus, a taken name and the digest of a whole file get 422; 409 is about the offset. */
function canHave({ tus }: Operation, code: ErrorCode, status: number): boolean {
  const statuses: readonly number[] = errorCodes[code].statuses;
  if (!statuses.includes(status)) return false;
  if (code === "name_taken") return status === (tus === true ? 422 : 409);
  return code !== "digest_mismatch" || status === 400 || tus === true;
}

function codesOf(operation: Operation, status: number): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  for (const code of operation.codes ?? []) {
    if (canHave(operation, code, status)) codes.add(code);
  }
  if (status === 412 && operation.tus === true) codes.add("unsupported_version");
  if (operation.access === "caller") {
    for (const code of status === 400 ? ["space_required" as const] : MEMBER_CODES) {
      if (errorCodes[code].statuses.some((each) => each === status)) codes.add(code);
    }
  }
  if (operation.access === "account" && status === 403 && !makesFactor(operation.id)) {
    codes.add("second_factor_required");
  }
  if (codes.size === 0 || hasGeneralCode(operation, status)) codes.add(generalCode(status));
  // Only names that resemble `dryRun` are refused where others are ignored.
  if (status === 400 && (operation.ignoresUnknown !== true || operation.method !== "GET")) {
    codes.add("unknown_field");
  }
  return [...codes];
}

/** Whether a failure can have the general code of its status beside other codes. */
function hasGeneralCode(operation: Operation, status: number): boolean {
  const isDeclared = operation.errors[status] !== undefined;
  if (status === 400) {
    const hasInput = operation.query !== undefined || operation.body !== undefined;
    return operation.ignoresUnknown !== true || (isDeclared && hasInput);
  }
  // `signInWithOidc`: nobody is signed in yet, and other sites send people here.
  if (status === 401 && operation.access === "anyone")
    return !SAFE_METHODS.includes(operation.method);
  if (status === 403) {
    const hasOwn = operation.codes?.some((code) => errorCodes[code].statuses[0] === status);
    return typeof operation.permission === "object" || (isDeclared && hasOwn !== true);
  }
  // A wrong secret and a missing session are told apart, and a full volume and a full quota.
  return status === 401 || status === 507;
}
