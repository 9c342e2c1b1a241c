import { randomBytes } from "node:crypto";
import type { HeaderFields } from "../connection/reply.ts";

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
 * The headers of every page and its files: browsers take the content for what it says it is, and tell the address to pages of this
 * site only, or to none.
 */
export const securityHeaders = (referrers: "same-origin" | "no-referrer"): HeaderFields => ({
  "Referrer-Policy": referrers,
  "X-Content-Type-Options": "nosniff",
});

/** For documents: pages of other sites that open this one have no access to its window. */
export const ownWindow: HeaderFields = { "Cross-Origin-Opener-Policy": "same-origin" };

/** For browsers that do not know `frame-ancestors`. */
export const noFrames: HeaderFields = { "X-Frame-Options": "DENY" };

/**
 * Scripts of a page need its nonce, or are imported by one that has it: `'self'` would let injected markup run
 * hosted files.
 */
export const scriptsWith = (nonce: string): string =>
  `script-src 'nonce-${nonce}' 'strict-dynamic'`;

/** A nonce for the scripts of one page. */
export const createNonce = (): string => randomBytes(16).toString("base64");
