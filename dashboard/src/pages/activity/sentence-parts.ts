import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { displayName, parentKey } from "../../text/key-parts.ts";

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
  webhook: "a webhook",
};

const NAMED = {
  key: "the key ",
  account: "the account ",
  session: "",
  link: "the link ",
  webhook: "the webhook ",
};

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

/** How many files and folders an event is about: "3 files and 2 folders". undefined: one at most, its subject. */
export function countText({ detail: { files, folders } }: ActivityObject): string | undefined {
  const counts = [
    typeof files === "number" ? { count: files, noun: "file" } : undefined,
    typeof folders === "number" ? { count: folders, noun: "folder" } : undefined,
  ].filter((each) => each !== undefined && each.count > 0);
  const total = counts.reduce((sum, each) => sum + (each?.count ?? 0), 0);
  if (total < 2) return undefined;
  return counts.map((each) => each && formatCount(each.count, each.noun)).join(" and ");
}

/**
 * The key of the folder that moved files and folders were in. null: there were several, or nothing has
 * moved.
 */
export function originKeyOf({ subject, detail }: ActivityObject): string | null {
  if (typeof detail.destination !== "string") return null;
  if (typeof detail.origin === "string") return detail.origin;
  const isOne = typeof detail.files !== "number" || detail.files === 1;
  return isOne && subject?.key ? (parentKey(subject.key) ?? "") : null;
}
