import { z } from "zod";

/* Every `error` completes the sentence "`field` …" and says what is wrong and what is allowed. */

/** The error for a missing or invalid field. `allowed` describes a valid value. */
export const required = (allowed: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? `is missing: it must be ${allowed}` : `must be ${allowed}`;

export const text = (allowed: string) => z.string({ error: required(allowed) });

export const visibility = z
  .enum(["public", "private"], {
    error: required("`public` or `private`"),
  })
  .meta({ typeName: "Visibility" });
