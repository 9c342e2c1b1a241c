import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { countText } from "../../text/count.ts";
import { isSettingName, SETTING_LABELS, settingText } from "../../text/setting-text.ts";
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
interface Deed {
  readonly did: string;
  readonly todo: string;
  readonly what: readonly Part[];
}

/** Describes an event in a sentence. `me` is the id of the signed-in account. */
export function sentenceOf(event: ActivityObject, me: string | undefined): Part[] {
  const { action, outcome } = event;
  const whence = event.address === null ? "" : ` from ${event.address}`;
  if (action === "signIn" && outcome === "failed") {
    const as = event.subject?.name;
    return ["Sign-in", ...(as ? [" as ", { name: as }] : []), ` failed${whence}`];
  }
  if (action === "setup" && outcome === "failed") return [`Setup failed${whence}`];
  if (action === "signIn") return [...whoOf(event, me), ` signed in${whence}`];

  const deeds = DEEDS[action](event);
  const done = outcome === "done";
  return [
    ...whoOf(event, me),
    done ? " " : " could not ",
    ...deeds.flatMap(({ did, todo, what }, index): Part[] => [
      `${index === 0 ? "" : " and "}${done ? did : todo} `,
      ...what,
    ]),
  ];
}

/** The sentence as plain text. */
export const plainSentence = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.name)).join("");

function whoOf({ actor }: ActivityObject, me: string | undefined): Part[] {
  if (actor.kind === "key") return ["Key ", { name: actor.name ?? "unknown" }];
  if (actor.kind === "command") return ["Someone on the server"];
  if (actor.kind === "none") return ["An unknown client"];
  return actor.id === me ? ["You"] : [{ name: actor.name ?? "An account" }];
}

const DEEDS: Record<Action, (event: ActivityObject) => readonly Deed[]> = {
  uploadFiles: (event) => [{ did: "uploaded", todo: "upload", what: uploaded(event) }],
  changeFile: changes,
  changeFolder: changes,
  deleteFiles: (event) => [{ did: "deleted", todo: "delete", what: deleted(event) }],
  deleteFolder: (event) => [
    { did: "deleted", todo: "delete", what: [...subjectOf(event), " and everything in it"] },
  ],
  signFile: (event) => [
    { did: "created", todo: "create", what: ["a link to ", ...subjectOf(event)] },
  ],
  createFolder: (event) => [{ did: "created", todo: "create", what: subjectOf(event) }],
  createKey: (event) => [{ did: "created", todo: "create", what: subjectOf(event) }],
  renameKey: (event) => [
    { did: "renamed", todo: "rename", what: [...subjectOf(event), ...newName(event)] },
  ],
  revokeKey: (event) => [{ did: "revoked", todo: "revoke", what: subjectOf(event) }],
  setup: (event) => [{ did: "created", todo: "create", what: subjectOf(event) }],
  signIn: () => [{ did: "signed", todo: "sign", what: ["in"] }],
  signOut: () => [{ did: "signed", todo: "sign", what: ["out"] }],
  endSessions: ({ subject, detail: { ended } }) => [
    {
      did: "signed out",
      todo: "sign out",
      what: [
        subject !== null
          ? "a session"
          : typeof ended === "number"
            ? countText(ended, "other session")
            : "the other sessions",
      ],
    },
  ],
  changeEmail: ({ subject }) => [
    {
      did: "changed",
      todo: "change",
      what: ["the email address", ...(subject?.name ? [" to ", { name: subject.name }] : [])],
    },
  ],
  changePassword: () => [{ did: "changed", todo: "change", what: ["the password"] }],
  resetPassword: (event) => [
    { did: "set", todo: "set", what: ["a new password for ", ...subjectOf(event)] },
  ],
  changeSettings: settings,
};

const NOUNS = {
  file: "a file",
  folder: "a folder",
  key: "an API key",
  account: "the account",
  session: "a session",
};

/** The subject's name, with its kind where the name alone is not clear. */
function subjectOf({ subject }: ActivityObject): Part[] {
  if (subject === null) return ["something"];
  const { kind, id, key } = subject;
  if (kind === "file" || kind === "folder") {
    // It did not exist even then.
    if (key === null) return [NOUNS[kind]];
    const part = { name: lastOf(key), target: { kind, id, key } };
    return kind === "folder" ? ["the folder ", part] : [part];
  }
  if (subject.name === null) return [NOUNS[kind]];
  const noun = kind === "key" ? "the key " : kind === "account" ? "the account " : "";
  return [noun, { name: subject.name }];
}

function uploaded({ subject, detail: { files } }: ActivityObject): Part[] {
  if (subject === null || subject.key === null) return ["files"];
  const { key } = subject;
  if (subject.kind === "folder") {
    const target = { kind: "folder", id: subject.id, key } as const;
    const count = typeof files === "number" ? countText(files, "file") : "files";
    return [`${count} to `, { name: key || "Files", target }];
  }
  const folder = key.slice(0, Math.max(0, key.lastIndexOf("/")));
  return [
    { name: lastOf(key), target: { kind: "file", id: subject.id, key } },
    " to ",
    { name: folder || "Files", target: { kind: "folder", id: null, key: folder } },
  ];
}

function deleted(event: ActivityObject): Part[] {
  const { files } = event.detail;
  if (typeof files !== "number" || files === 1) return subjectOf(event);
  const first = event.subject?.key;
  if (files === 0) return subjectOf(event);
  const name = first ? [", including ", { name: lastOf(first) }] : [];
  return [countText(files, "file"), ...name];
}

/** A change may combine a rename, a move and a new visibility. */
function changes(event: ActivityObject): Deed[] {
  const { name, visibility, folderId, parentId } = event.detail;
  const place = folderId ?? parentId;
  const deeds: Deed[] = [];
  const subject = (): Part[] => (deeds.length === 0 ? subjectOf(event) : ["it"]);
  if (name !== undefined) {
    deeds.push({ did: "renamed", todo: "rename", what: [...subject(), ...newName(event)] });
  }
  if (typeof place === "string") {
    const target = { kind: "folder", id: place, key: null } as const;
    const what = [...subject(), " to ", { name: "another folder", target }];
    deeds.push({ did: "moved", todo: "move", what });
  }
  if (visibility !== undefined) {
    const all = event.action === "changeFolder" ? [" and everything in it "] : [" "];
    deeds.push({ did: "made", todo: "make", what: [...subject(), ...all, String(visibility)] });
  }
  return deeds.length > 0 ? deeds : [{ did: "changed", todo: "change", what: subjectOf(event) }];
}

function newName({ detail: { name } }: ActivityObject): Part[] {
  return typeof name === "string" ? [" to ", { name }] : [];
}

function settings({ detail }: ActivityObject): Deed[] {
  const deeds: Deed[] = [];
  for (const [name, value] of Object.entries(detail)) {
    if (!isSettingName(name)) continue;
    const label = `“${SETTING_LABELS[name]}”`;
    deeds.push(
      typeof value === "string" || typeof value === "number"
        ? { did: "set", todo: "set", what: [`${label} to ${settingText(name, value)}`] }
        : { did: "reset", todo: "reset", what: [`${label} to its default`] },
    );
  }
  return deeds.length > 0 ? deeds : [{ did: "changed", todo: "change", what: ["the settings"] }];
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1) || "Files";
