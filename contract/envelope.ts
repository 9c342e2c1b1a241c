import type { ErrorCode } from "./text/error-codes.ts";

export type Envelope<Data> = { data: Data; error: null } | { data: null; error: ErrorObject };

export interface ErrorObject {
  /** For programs; see `docs/errors.md`. */
  code: ErrorCode;
  /** For people; may change. */
  message: string;
  /** What a program can use, if there is anything. */
  details?: Record<string, string | number | string[]>;
}
