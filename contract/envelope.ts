import type { ErrorCode } from "./text/error-codes.ts";

export type Envelope<Data> = { data: Data; error: null } | { data: null; error: ErrorObject };

export interface ErrorObject {
  /** The code for programs; see `docs/errors.md`. */
  code: ErrorCode;
  /** The text for people; it may change. */
  message: string;
  /** Values that a program can use, if there are any. */
  details?: Record<string, string | number | string[]>;
}
