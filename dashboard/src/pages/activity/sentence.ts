import { actionTexts } from "../../../../contract/activity.ts";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatSetting, isSettingName, SETTING_LABELS } from "../../text/format-setting.ts";
import { displayName, parentKey } from "../../text/key-parts.ts";
import type { Action } from "./filters.ts";
import { type Clause, countText, originKeyOf, type Part, subjectOf } from "./sentence-parts.ts";
import { deletedFiles, deletedFolders, trashClause } from "./trash-clause.ts";

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

  if (action === "signInWithPasskey" && outcome === "failed") {
    return [`Sign-in with a passkey failed${origin}`];
  }
  if (action === "signInWithPasskey") {
    return [...actorOf(event, me), ` signed in with a passkey${origin}`];
  }

  if (action === "signInWithOidc" && outcome === "failed") {
    return [`Sign-in with the provider failed${origin}`];
  }
  if (action === "signInWithOidc") {
    const did = event.detail.connected === true ? "connected" : "signed in with";
    return [...actorOf(event, me), ` ${did} the provider${origin}`];
  }

  const succeeded = outcome === "done";
  return [
    ...actorOf(event, me),
    succeeded ? " " : " could not ",
    ...clausesOf(event).flatMap(({ past, infinitive, object }, index): Part[] => [
      `${index === 0 ? "" : " and "}${succeeded ? past : infinitive}${object.length > 0 ? " " : ""}`,
      ...object,
    ]),
    ...(succeeded ? failedOf(event) : []),
  ];
}

/** How many other items could not be changed. */
function failedOf(event: ActivityObject): Part[] {
  const { failed } = event.detail;
  const [clause] = clausesOf(event);
  if (typeof failed !== "number" || clause === undefined) return [];
  return [`, but could not ${clause.infinitive} ${formatCount(failed, "other")}`];
}

/** The sentence as plain text. */
export const toPlainText = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === "string" ? part : part.name)).join("");

function actorOf({ actor, detail }: ActivityObject, me: string | undefined): Part[] {
  // The role of an account that has signed in.
  if (detail.provider === true) return ["The provider"];
  if (actor.kind === "key") return ["Key ", { name: actor.name ?? "unknown" }];
  if (actor.kind === "link") return ["A visitor of ", { name: actor.name ?? "a link" }];
  if (actor.kind === "expiry") return ["Its lifetime"];
  if (actor.kind === "command") return ["Someone on the server"];
  if (actor.kind === "none") return ["An unknown client"];
  return actor.id === me ? ["You"] : [{ name: actor.name ?? "An account" }];
}

function clausesOf(event: ActivityObject): readonly Clause[] {
  const { action } = event;
  if (action === "changeFile" || action === "changeFolder") return changeClauses(event);
  if (action === "changeSettings") return settingClauses(event);
  if (action === "changeAccount") return accountClauses(event);
  const trash = trashClause(event);
  if (trash !== undefined) return [trash];
  const { past, infinitive } = actionTexts[action];
  return [{ past, infinitive, object: (OBJECTS[action] ?? subjectOf)(event) }];
}

/** The objects of the verbs in `actionTexts`; for other actions, the subject of the event. */
const OBJECTS: Partial<Record<Action, (event: ActivityObject) => readonly Part[]>> = {
  uploadFiles: (event) => uploaded(event),
  putContent: (event) =>
    event.subject?.kind === "folder" ? uploaded(event, "in") : subjectOf(event),
  putLogo: () => ["the logo"],
  removeLogo: () => ["the logo"],
  createUpload: (event) => ["an upload URL for ", ...subjectOf(event)],
  createBatch: (event) => ["a batch in ", ...subjectOf(event)],
  copyFiles: (event) => {
    const count = countText(event);
    return count === undefined ? subjectOf(event) : [count];
  },
  copyFolder: (event) => [...subjectOf(event), " and everything in it"],
  deleteFiles: (event) => deletedFiles(event),
  deleteFolder: (event) => deletedFolders(event),
  signFile: (event) => ["a signed URL of ", ...subjectOf(event)],
  signFolder: (event) => ["a signed URL of ", ...subjectOf(event)],
  setQuota: (event) => ["the quota of ", ...subjectOf(event)],
  createLink: (event) => [
    event.detail.kind === "drop" ? "an upload request for " : "a link to ",
    ...subjectOf(event),
  ],
  receiveFiles: (event) => uploaded(event),
  download: (event) => {
    const { zip } = event.detail;
    return typeof zip === "string" ? ["the zip ", { name: zip }] : subjectOf(event);
  },
  rotateKey: (event) => subjectOf(event),
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
  enableSecondFactor: () => ["two-step sign-in"],
  disableSecondFactor: () => ["two-step sign-in"],
  renewRecoveryCodes: () => ["the recovery codes"],
  createInvite: ({ detail: { role } }) => [roleText(role)],
  removeInvite: () => ["an invitation"],
  acceptInvite: () => ["an invitation"],
  connectIdentity: () => ["the provider"],
  disconnectIdentity: () => ["the provider"],
  preparePasskey: () => ["a passkey"],
  addPasskey: (event) => ["the passkey", ...passkeyName(event)],
  renamePasskey: (event) => ["a passkey", ...newName(event)],
  removePasskey: (event) => ["the passkey", ...passkeyName(event)],
  clearActivity: ({ detail: { entries } }) => [
    typeof entries === "number" ? formatCount(entries, "entry of", "entries of") : "entries of",
    " the activity log",
  ],
  startScrub: () => ["a check of all files"],
  resetPassword: (event) => [
    "a new password for ",
    ...subjectOf(event),
    event.detail.removeSecondFactor === true ? ", without two-step sign-in and passkeys" : "",
  ],
};

function uploaded({ subject, detail: { files } }: ActivityObject, preposition = "to"): Part[] {
  if (subject === null || subject.key === null) return ["files"];
  const { key } = subject;
  if (subject.kind === "folder") {
    const target = { kind: "folder", id: subject.id, key } as const;
    const count = typeof files === "number" ? formatCount(files, "file") : "files";
    return [`${count} ${preposition} `, { name: key || "Files", target }];
  }
  const folder = parentKey(key) ?? "";
  return [
    { name: displayName(key), target: { kind: "file", id: subject.id, key } },
    " to ",
    { name: folder || "Files", target: { kind: "folder", id: null, key: folder } },
  ];
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
  const { name, visibility, folderId, parentId, defaultVisibility } = event.detail;
  const destinationId = folderId ?? parentId;
  const clauses: Clause[] = [];
  const count = countText(event);
  const [object, pronoun] = count === undefined ? [subjectOf(event), "it"] : [[count], "them"];
  const hasFolders = event.action === "changeFolder" || Number(event.detail.folders ?? 0) > 0;
  const subject = (): Part[] => (clauses.length === 0 ? object : [pronoun]);
  if (name !== undefined) {
    clauses.push({
      past: "renamed",
      infinitive: "rename",
      object: [...subject(), ...newName(event)],
    });
  }
  if (typeof destinationId === "string") {
    const object = [...subject(), ...originOf(event), " to ", destinationOf(event, destinationId)];
    clauses.push({ past: "moved", infinitive: "move", object });
  }
  if (visibility !== undefined) {
    const all = hasFolders ? ` and everything in ${pronoun} ` : " ";
    clauses.push({
      past: "made",
      infinitive: "make",
      object: [...subject(), all, String(visibility)],
    });
  }
  if (defaultVisibility !== undefined) {
    const to = defaultVisibility ?? "what the folder above says";
    clauses.push({
      past: "set",
      infinitive: "set",
      object: ["the visibility of new files in ", ...subject(), ` to ${to}`],
    });
  }
  return clauses.length > 0 ? clauses : [{ past: "changed", infinitive: "change", object }];
}

function accountClauses(event: ActivityObject): Clause[] {
  const { role, disabled } = event.detail;
  const object = subjectOf(event);
  const clauses: Clause[] = [];
  if (role !== undefined) {
    clauses.push({ past: "made", infinitive: "make", object: [...object, ` ${roleText(role)}`] });
  }
  if (disabled !== undefined) {
    const [past, infinitive] = disabled === true ? ["disabled", "disable"] : ["enabled", "enable"];
    clauses.push({ past, infinitive, object });
  }
  return clauses.length > 0 ? clauses : [{ past: "changed", infinitive: "change", object }];
}

const roleText = (role: unknown): string => (role === "owner" ? "an owner" : "a member");

function originOf(event: ActivityObject): Part[] {
  const key = originKeyOf(event);
  if (key === null) return [];
  const origin: Part = { name: displayName(key), target: { kind: "folder", id: null, key } };
  return [" from ", origin];
}

/** Entries of earlier releases, and of failed moves, have only the id of the destination. */
function destinationOf({ detail: { destination } }: ActivityObject, id: string): Part {
  const key = typeof destination === "string" ? destination : null;
  const name = key === null ? "another folder" : displayName(key);
  return { name, target: { kind: "folder", id, key } };
}

function passkeyName({ detail: { name } }: ActivityObject): Part[] {
  return typeof name === "string" ? [" ", { name }] : [];
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
