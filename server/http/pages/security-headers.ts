import { randomBytes } from "node:crypto";

/** The Content-Security-Policy of a page, which uses only files of this server and stands in no frame. `own`: its further directives. */
export const contentPolicy = (...own: readonly string[]): string =>
  [
    "default-src 'none'",
    ...own,
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/**
 * Scripts of a page need its nonce, or are imported by one that has it: `'self'` would let injected markup run
 * hosted files.
 */
export const scriptsWith = (nonce: string): string =>
  `script-src 'nonce-${nonce}' 'strict-dynamic'`;

/** A nonce for the scripts of one page. */
export const createNonce = (): string => randomBytes(16).toString("base64");
