import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Who may call:
 * - anyone: no credentials are looked at;
 * - caller: an API key, or a session;
 * - account: a session only, since it concerns the person who is signed in;
 * - reader: anyone for public files; a signature, an API key or a session for private ones.
 */
export type Access = "anyone" | "caller" | "account" | "reader";

/** Which rate limit a request counts against. */
export type Budget = "api" | "hosting";

export type Body =
  | {
      readonly json: z.ZodObject;
      /** A form of a page may send it, too. Every field is then a list of text. */
      readonly form?: true;
    }
  | { readonly multipart: z.ZodObject };

export type Answer =
  /** The schema of the envelope's `data`. */
  | { readonly data: z.ZodType }
  /** The file's bytes, with ranges and conditions. */
  | { readonly file: "inline" | "attachment" }
  /** Files put together on the fly, of this media type: neither ranges nor conditions. */
  | { readonly archive: string }
  /** A document outside the envelope. */
  | { readonly document: string };

/** An operation of the API, as data: validation, documentation and clients follow from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** `{name}` stands for one segment; `{name*}` for all that follow. */
  readonly path: string;
  readonly tag:
    | "Files"
    | "Folders"
    | "Hosting"
    | "API keys"
    | "Account"
    | "Insight"
    | "Settings"
    | "Service";
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly access: Access;
  readonly budget: Budget;
  /** It may take longer than a connection may be silent. */
  readonly slow?: true;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: z.ZodObject;
  readonly body?: Body;
  readonly answer: Answer;
  /** Status → when, beside those that every operation has (see `openapi.ts`). */
  readonly errors: Readonly<Record<number, string>>;
}
