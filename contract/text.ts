import { z } from "zod";

/*
 * Every `error` completes the sentence "`field` …", so that a refusal names what was wrong and
 * what would be right.
 */

/** What a field that is missing or wrong is told: `allowed` says what would be right. */
export const required = (allowed: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? `is missing: it must be ${allowed}` : `must be ${allowed}`;

export const text = (allowed: string) => z.string({ error: required(allowed) });

export const visibility = z.enum(["public", "private"], {
  error: required("`public` or `private`"),
});
