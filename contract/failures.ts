import type { Operation } from "./operation.ts";

export interface Failure {
  readonly status: number;
  /** When it is answered. Markdown. */
  readonly when: string;
  /** The operation says so itself, rather than every operation alike. */
  readonly own: boolean;
}

/** What any operation may answer. */
export const EVERYWHERE: Readonly<Record<number, string>> = {
  405: "The path has no such method. `Allow` names those that it has.",
  429: "Too many requests. Try again after the seconds in `Retry-After`.",
  500: "Unexpected server error.",
  503: "The service cannot answer just now, and nothing was changed. Try again later.",
};

const UNAUTHORIZED = "No valid API key, and no session.";
const NO_SESSION = "Nobody is signed in.";
const MALFORMED = "A body that is not a JSON object, or a field of the wrong type.";
const UNSATISFIABLE = "The range starts past the end of the file.";
const OUTDATED = "The content is not the one that `If-Match` or `If-Unmodified-Since` names.";
const TOO_LARGE = "The body is larger than 1 MiB.";
const OPEN_TOO_LARGE = "The body is larger than 16 KiB.";

/** Every failure that an operation may answer, by status: its own and those that it has by its kind. */
export function failuresOf(operation: Operation): Failure[] {
  const general: Record<number, string> = { ...EVERYWHERE };
  if (operation.access === "caller") general[401] = UNAUTHORIZED;
  if (operation.access === "account") general[401] = NO_SESSION;
  if (operation.body !== undefined && "json" in operation.body) {
    general[400] = MALFORMED;
    general[413] = operation.access === "anyone" ? OPEN_TOO_LARGE : TOO_LARGE;
  }
  if ("file" in operation.answer) {
    general[412] = OUTDATED;
    general[416] = UNSATISFIABLE;
  }
  const statuses = new Set([...Object.keys(general), ...Object.keys(operation.errors)].map(Number));
  return [...statuses]
    .sort((one, other) => one - other)
    .map((status) => {
      const own = operation.errors[status];
      // A wrong password is told apart from a missing session; every other status has one meaning.
      const also = status === 401 ? general[status] : undefined;
      return {
        status,
        when:
          own === undefined ? (general[status] ?? "") : [own, also].filter(Boolean).join(" Or: "),
        own: own !== undefined,
      };
    });
}
