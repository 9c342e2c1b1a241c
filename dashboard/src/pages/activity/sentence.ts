import { type ActivityObject, actionTexts } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatSetting, isSettingName, SETTING_LABELS } from "../../text/format-setting.ts";
import { displayName, parentKey } from "../../text/key-parts.ts";
import type { Action } from "./filters.ts";

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
interface Clause {
  readonly past: string;
  readonly infinitive: string;
  readonly object: readonly Part[];
}

/** Describes an event in a sentence. `me` is the id of the signed-in account. */
export function sentenceOf(event: ActivityObject, me: string | undefined): Part[] {
  const { action, outcome } = event;
  const origin = event.address === null ? "" : ` from ${event.address}`;
  if (action === "signIn" && outcome === "failed") {
    const as = event.subject?.name;
    return ["Sign-in", ...(as ? [" as ", { name: as }] : []), ` failed${origin}`];
  }
  if (action === "setup" && outcome === "failed") return [`Setup failed${origin}`];
  if (action === "signIn") return [...actorOf(event, me), ` signed in${origin}`];

  const succeeded = outcome === "done";
  return [
    ...actorOf(event, me),
    succeeded ? " " : " could not ",
    ...clausesOf(event).flatMap(({ past, infinitive, object }, index): Part[] => [
      `${index === 0 ? "" : " and "}${succeeded ? past : infinitive}${object.length > 0 ? " " : ""}`,
      ...object,
    ]),
  ];
}

/** The sentence as plain text. */
export const toPlainText = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.name)).join("");

function actorOf({ actor }: ActivityObject, me: string | undefined): Part[] {
  if (actor.kind === "key") return ["Key ", { name: actor.name ?? "unknown" }];
  if (actor.kind === "link") return ["A visitor of ", { name: actor.name ?? "a link" }];
  if (actor.kind === "command") return ["Someone on the server"];
  if (actor.kind === "none") return ["An unknown client"];
  return actor.id === me ? ["You"] : [{ name: actor.name ?? "An account" }];
}

function clausesOf(event: ActivityObject): readonly Clause[] {
  const { action } = event;
  if (action === "changeFile" || action === "changeFolder") return changeClauses(event);
  if (action === "changeSettings") return settingClauses(event);
  const { past, infinitive } = actionTexts[action];
  return [{ past, infinitive, object: (OBJECTS[action] ?? subjectOf)(event) }];
}

/** The objects of the verbs in `actionTexts`; for other actions, the subject of the event. */
const OBJECTS: Partial<Record<Action, (event: ActivityObject) => readonly Part[]>> = {
  uploadFiles: uploaded,
  createUpload: (event) => ["an upload URL for ", ...subjectOf(event)],
  createBatch: (event) => ["a batch in ", ...subjectOf(event)],
  deleteFiles: deleted,
  deleteFolder: (event) => [...subjectOf(event), " and everything in it"],
  signFile: (event) => ["a link to ", ...subjectOf(event)],
  revokeKey: revoked,
  revealS3Credentials: (event) => ["the S3 credentials of ", ...subjectOf(event)],
  renameKey: (event) => [...subjectOf(event), ...newName(event)],
  signIn: () => [],
  signOut: () => [],
  endSessions: ({ subject, detail: { ended } }) => {
    if (subject !== null) return ["a session"];
    return [typeof ended === "number" ? formatCount(ended, "other session") : "the other sessions"];
  },
  changeEmail: ({ subject }) => [
    "the email address",
    ...(subject?.name ? [" to ", { name: subject.name }] : []),
  ],
  changePassword: () => ["the password"],
  resetPassword: (event) => ["a new password for ", ...subjectOf(event)],
};

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
function subjectOf({ subject }: ActivityObject): Part[] {
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

function uploaded({ subject, detail: { files } }: ActivityObject): Part[] {
  if (subject === null || subject.key === null) return ["files"];
  const { key } = subject;
  if (subject.kind === "folder") {
    const target = { kind: "folder", id: subject.id, key } as const;
    const count = typeof files === "number" ? formatCount(files, "file") : "files";
    return [`${count} to `, { name: key || "Files", target }];
  }
  const folder = parentKey(key) ?? "";
  return [
    { name: displayName(key), target: { kind: "file", id: subject.id, key } },
    " to ",
    { name: folder || "Files", target: { kind: "folder", id: null, key: folder } },
  ];
}

function deleted(event: ActivityObject): Part[] {
  const { files } = event.detail;
  if (typeof files !== "number" || files === 1) return subjectOf(event);
  const first = event.subject?.key;
  if (files === 0) return subjectOf(event);
  const name = first ? [", including ", { name: displayName(first) }] : [];
  return [formatCount(files, "file"), ...name];
}

function revoked(event: ActivityObject): Part[] {
  const { keys } = event.detail;
  if (typeof keys !== "number" || keys < 2) return subjectOf(event);
  const created =
    keys === 2 ? "the key that it had created" : `${keys - 1} keys that it had created`;
  return [...subjectOf(event), ` and ${created}`];
}

/** A change may combine a rename, a move and a new visibility. */
function changeClauses(event: ActivityObject): Clause[] {
  const { name, visibility, folderId, parentId } = event.detail;
  const destinationId = folderId ?? parentId;
  const clauses: Clause[] = [];
  const subject = (): Part[] => (clauses.length === 0 ? subjectOf(event) : ["it"]);
  if (name !== undefined) {
    clauses.push({
      past: "renamed",
      infinitive: "rename",
      object: [...subject(), ...newName(event)],
    });
  }
  if (typeof destinationId === "string") {
    const target = { kind: "folder", id: destinationId, key: null } as const;
    const object = [...subject(), " to ", { name: "another folder", target }];
    clauses.push({ past: "moved", infinitive: "move", object });
  }
  if (visibility !== undefined) {
    const all = event.action === "changeFolder" ? [" and everything in it "] : [" "];
    clauses.push({
      past: "made",
      infinitive: "make",
      object: [...subject(), ...all, String(visibility)],
    });
  }
  return clauses.length > 0
    ? clauses
    : [{ past: "changed", infinitive: "change", object: subjectOf(event) }];
}

function newName({ detail: { name } }: ActivityObject): Part[] {
  return typeof name === "string" ? [" to ", { name }] : [];
}

function settingClauses({ detail }: ActivityObject): Clause[] {
  const clauses: Clause[] = [];
  for (const [name, value] of Object.entries(detail)) {
    if (!isSettingName(name)) continue;
    const label = `“${SETTING_LABELS[name]}”`;
    clauses.push(
      value !== null
        ? { past: "set", infinitive: "set", object: [`${label} to ${formatSetting(name, value)}`] }
        : { past: "reset", infinitive: "reset", object: [`${label} to its default`] },
    );
  }
  return clauses.length > 0
    ? clauses
    : [{ past: "changed", infinitive: "change", object: ["the settings"] }];
}
