import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { displayName } from "../../text/key-parts.ts";

/** A file or folder that a sentence links to. */
export interface Target {
  readonly kind: "file" | "folder";
  readonly id: string | null;
  /** The key at that time; null if only the id is known. */
  readonly key: string | null;
}

/** Plain text, or a user-supplied name with an optional link target. */
export type Part = string | { readonly name: string; readonly target?: Target };

/** A verb in past tense and infinitive, and its object. */
export interface Clause {
  readonly past: string;
  readonly infinitive: string;
  readonly object: readonly Part[];
}

const NOUNS = {
  file: "a file",
  folder: "a folder",
  key: "an API key",
  account: "the account",
  session: "a session",
  link: "a link",
};

const NAMED = { key: "the key ", account: "the account ", session: "", link: "the link " };

/** The subject's name, with its kind where the name alone is not clear. */
export function subjectOf({ subject }: ActivityObject): Part[] {
  if (subject === null) return ["something"];
  const { kind, id, key } = subject;
  if (kind === "file" || kind === "folder") {
    // It did not exist even then.
    if (key === null) return [NOUNS[kind]];
    const part = { name: displayName(key), target: { kind, id, key } };
    return kind === "folder" ? ["the folder ", part] : [part];
  }
  if (subject.name === null) return [NOUNS[kind]];
  const noun = NAMED[kind];
  return [noun, { name: subject.name }];
}
