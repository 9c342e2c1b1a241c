import type { z } from "zod";
import type { Advice } from "./advice.ts";
import type { Config } from "./config.ts";

/** An environment variable. */
export interface Variable<T> extends Details {
  readonly name: string;
  /** Parses the text. The message of its first issue says what is allowed, after "must be". */
  readonly schema: z.ZodType<T, string>;
  /** The value when the variable is not set or empty. */
  readonly unset: T;
  /** The default for people, in Markdown, or what applies when it is not set; empty if nothing. */
  readonly defaultText: string;
  /** The description for people, in Markdown. */
  readonly meaning: string;
}

interface Details {
  /** Whether the API can change it at runtime while the variable is not set. */
  readonly isSetting?: true;
  /** Whether white space around the value is part of it. */
  readonly isExact?: true;
  /** What an error message shows in place of the value; by default the value in quotes. */
  readonly shown?: (text: string) => string;
  /** What `doctor` says about the value. */
  readonly examine?: (config: Config) => readonly Advice[];
}

interface OptionalDetails extends Details {
  readonly defaultText?: string;
}

/** A variable whose default is written as a user would write it. */
export function withDefault<T>(
  name: string,
  schema: z.ZodType<T, string>,
  text: string,
  meaning: string,
  details: Details = {},
): Variable<T> {
  const defaultText = `\`${text}\``;
  return { name, schema, unset: schema.parse(text), defaultText, meaning, ...details };
}

/** A variable without a default: its value is null when it is not set. */
export function optional<T>(
  name: string,
  schema: z.ZodType<T, string>,
  meaning: string,
  details: OptionalDetails = {},
): Variable<T | null> {
  return { name, schema, unset: null, defaultText: "", meaning, ...details };
}

/** Shows how long a secret is. */
export const shownAsLength = (text: string): string => `${text.length} characters long`;
