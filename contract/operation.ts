import type { z } from "zod";
import type { AuditMapper } from "./audit.ts";
import type { Example } from "./example.ts";
import type { Permission } from "./permission.ts";
import type { ErrorCode } from "./text/error-codes.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS";

/**
 * Who may call an operation:
 * - anyone: no credentials are read;
 * - caller: requests with an API key or a session;
 * - account: requests with a session, because the operation is about the signed-in person;
 * - reader: anyone for public files; a signature, an API key or a session for private ones;
 * - token: anyone with the URL, which contains a secret. Pages of other origins too.
 */
export type Access = "anyone" | "caller" | "account" | "reader" | "token";

/** The rate limit that a request counts against. */
export type Budget = "api" | "hosting" | "links" | "s3";

export type Body =
  | {
      readonly json: z.ZodObject;
      /** An HTML form may send it too. Every field is then a list of strings. */
      readonly form?: true;
      /** Takes lists of keys, and so a longer body. */
      readonly isBulk?: true;
      /** A tus client sends headers instead, and may send the first bytes of the file. */
      readonly tus?: true;
    }
  | { readonly multipart: z.ZodObject }
  /** Bytes of a file, of one of these media types. */
  | { readonly bytes: readonly string[] };

export type SuccessResponse =
  /** The schema of the envelope's `data`. */
  | {
      readonly data: z.ZodType;
      /** The schema of an event, if `Accept: text/event-stream` gets a stream of events instead. */
      readonly events?: z.ZodType;
      /** Media types of the same data as a table, which `Accept` chooses. */
      readonly tables?: readonly string[];
      /** Default: 200. */
      readonly status?: 201;
      /** Another status that the operation can choose with `setStatus`, with its meaning in Markdown. */
      readonly alternative?: { readonly status: 200; readonly meaning: string };
      /** Response headers, with their meaning in Markdown. */
      readonly headers?: Headers;
    }
  /** No body: the headers say everything. 303: a person opens it in a browser, and gets failures as pages. */
  | { readonly empty: 200 | 204 | 303; readonly headers: Headers }
  /** The file's bytes. Range requests are supported. */
  | {
      readonly file: "inline" | "attachment";
      /** Default: conditional requests are. `false`: the response has no validators. */
      readonly hasValidators?: false;
    }
  /** An archive of this media type, generated while it is sent: no ranges, no conditions. */
  | { readonly archive: string }
  /** A document of this media type, outside the envelope. */
  | { readonly document: string };

/** Header names, with their meaning in Markdown. */
export type Headers = Readonly<Record<string, string>>;

/** The status of a successful response. */
export function successStatus({ response }: Pick<Operation, "response">): number {
  if ("empty" in response) return response.empty;
  return "data" in response ? (response.status ?? 200) : 200;
}

export type Tag =
  | "Files"
  | "Resumable uploads"
  | "Folders"
  | "Trash and versions"
  | "Hosting"
  | "Links"
  | "Webhooks"
  | "API keys"
  | "Account"
  | "People"
  | "Insight"
  | "Settings"
  | "Service";

/**
 * An operation of the API, as data. Validation, access control, the audit log, OpenAPI and the
 * reference are derived from it. `defineOperation` makes one.
 */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** `{name}` stands for one segment; `{name*}` for all segments that follow. */
  readonly path: string;
  readonly tag: Tag;
  /**
   * The operation belongs to the interface that clients of other servers use, so it ignores fields and
   * query parameters that it does not know. All other operations refuse them.
   */
  readonly ignoresUnknown?: true | undefined;
  readonly summary: string;
  /** Markdown, of which only `code` is used. */
  readonly description?: string | undefined;
  readonly access: Access;
  /** "any key": every API key may call it; "none": API keys do not count. */
  readonly permission: Permission | "any key" | "none";
  readonly budget: Budget;
  /** A change that evaluates `If-Match`, `If-None-Match` and `If-Unmodified-Since`. */
  readonly isConditional?: true | undefined;
  /** Part of the tus protocol: every response has its headers, and other versions are refused. */
  readonly tus?: true | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Request headers. */
  readonly headers?: Headers | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: Body | undefined;
  readonly response: SuccessResponse;
  /** The values of `error.code` besides the general code of each status. */
  readonly codes?: readonly ErrorCode[] | undefined;
  /** Status → cause, besides the statuses that every operation has (see `failures.ts`). */
  readonly errors: Readonly<Record<number, string>>;
  /** null: the operation is not in the audit log. */
  readonly audit: AuditMapper<unknown, unknown> | null;
  readonly example: Example;
}
