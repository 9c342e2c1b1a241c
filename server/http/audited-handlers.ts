import type { AuditedOperation } from "../../contract/activity.ts";
import type { AccountObject, FileObject } from "../../contract/types.ts";
import type { ApiKeys } from "../access/api-keys.ts";
import type { Files } from "../files/files.ts";
import type { Activity } from "../insight/activity.ts";
import type { Actor, Detail, Subject } from "../rules/activity.ts";
import { type AuditDetails, audited } from "./audit.ts";
import type { Handlers } from "./handlers/handler.ts";

export interface AuditParts {
  readonly activity: Activity;
  readonly files: Files;
  readonly keys: ApiKeys;
}

/** The handlers of everything that is noted, so that it is. */
export function auditedHandlers(
  handlers: Handlers<AuditedOperation>,
  { activity, files, keys }: AuditParts,
): Handlers<AuditedOperation> {
  const file = async (id: string): Promise<Subject> => {
    const found = await files.find({ id }).catch(() => undefined);
    return { kind: "file", id: short(id, ID), name: found?.key ?? null };
  };
  const folder = async (id: string): Promise<Subject> => {
    const found = await files.findFolder({ id }).catch(() => undefined);
    return { kind: "folder", id: short(id, ID), name: found?.key ?? null };
  };
  const apiKey = async (id: string): Promise<Subject> => {
    const all = await keys.list().catch(() => []);
    return {
      kind: "key",
      id: short(id, ID),
      name: all.find((each) => each.id === id)?.name ?? null,
    };
  };

  return {
    uploadFiles: audited(activity, "uploadFiles", handlers.uploadFiles, {
      asked: nothing,
      done: ({ files: added }) => (Array.isArray(added) ? uploaded(added) : {}),
    }),
    changeFile: audited(activity, "changeFile", handlers.changeFile, {
      asked: async ({ body: { id, ...change } }) => ({
        subject: await file(id),
        detail: given(change),
      }),
      done: nothing,
    }),
    deleteFiles: audited(activity, "deleteFiles", handlers.deleteFiles, {
      async asked({ body: { id, ids = [] } }) {
        const [first] = id === undefined ? ids : [id];
        return {
          subject: first === undefined ? undefined : await file(first),
          detail: { files: id === undefined ? new Set(ids).size : 1 },
        };
      },
      done: ({ deleted }) => ({ detail: { files: Array.isArray(deleted) ? deleted.length : 0 } }),
    }),
    signFile: audited(activity, "signFile", handlers.signFile, {
      asked: async ({ body: { id, key } }) => ({
        subject:
          id === undefined ? { kind: "file", id: null, name: short(key ?? "") } : await file(id),
      }),
      done: ({ expiresAt }) => ({ detail: { expiresAt } }),
    }),
    createFolder: audited(activity, "createFolder", handlers.createFolder, {
      asked: ({ body }) => ({ subject: { kind: "folder", id: null, name: short(body.folder) } }),
      done: ({ folder: { id, key } }) => ({ subject: { kind: "folder", id, name: key } }),
    }),
    changeFolder: audited(activity, "changeFolder", handlers.changeFolder, {
      asked: async ({ body: { id, ...change } }) => ({
        subject: await folder(id),
        detail: given(change),
      }),
      done: nothing,
    }),
    deleteFolder: audited(activity, "deleteFolder", handlers.deleteFolder, {
      asked: async ({ body }) => ({ subject: await folder(body.id) }),
      done: nothing,
    }),
    createKey: audited(activity, "createKey", handlers.createKey, {
      asked: ({ body }) => ({ subject: { kind: "key", id: null, name: body.name } }),
      done: ({ key: { id, name, expiresAt } }) => ({
        subject: { kind: "key", id, name },
        detail: { expiresAt },
      }),
    }),
    renameKey: audited(activity, "renameKey", handlers.renameKey, {
      asked: async ({ body: { id, name } }) => ({ subject: await apiKey(id), detail: { name } }),
      done: nothing,
    }),
    revokeKey: audited(activity, "revokeKey", handlers.revokeKey, {
      asked: async ({ body }) => ({ subject: await apiKey(body.id) }),
      done: nothing,
    }),
    setup: audited(activity, "setup", handlers.setup, {
      asked: ({ body }) => ({ subject: person(body.email) }),
      done: ({ account }) => signedIn(account),
    }),
    signIn: audited(activity, "signIn", handlers.signIn, {
      asked: ({ body }) => ({ subject: person(body.email) }),
      done: ({ account }) => signedIn(account),
    }),
    signOut: audited(activity, "signOut", handlers.signOut, { asked: nothing, done: nothing }),
    endSessions: audited(activity, "endSessions", handlers.endSessions, {
      asked: ({ body: { id } }) =>
        id === undefined ? {} : { subject: { kind: "session", id: short(id, ID), name: null } },
      done: ({ ended }) => ({ detail: { ended } }),
    }),
    changeEmail: audited(activity, "changeEmail", handlers.changeEmail, {
      asked: ({ body }) => ({ subject: person(body.email) }),
      done: nothing,
    }),
    changePassword: audited(activity, "changePassword", handlers.changePassword, {
      asked: nothing,
      done: nothing,
    }),
    changeSettings: audited(activity, "changeSettings", handlers.changeSettings, {
      asked: ({ body }) => ({ detail: given(body) }),
      done: nothing,
    }),
  };
}

const nothing = (): AuditDetails => ({});

/** One file is told of itself, several by where they went. */
function uploaded(files: readonly FileObject[]): AuditDetails {
  const [first] = files;
  if (first === undefined) return {};
  const folder = first.key.slice(0, Math.max(0, first.key.lastIndexOf("/")));
  return {
    subject:
      files.length === 1
        ? { kind: "file", id: first.id, name: first.key }
        : { kind: "folder", id: first.folderId, name: folder },
    detail: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
  };
}

function signedIn({ id, email }: AccountObject): AuditDetails {
  const actor: Actor = { kind: "account", id, name: email };
  return { actor, subject: { kind: "account", id, name: email } };
}

/** Whom somebody says to be. What has not the form of an address may be a password, put in the wrong field. */
function person(email: string): Subject {
  const address = email.trim().toLowerCase();
  const isAddress = address.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);
  return { kind: "account", id: null, name: isAddress ? address : null };
}

/** The fields of a request that are there. */
function given(fields: Readonly<Record<string, Detail[string] | undefined>>): Detail {
  const detail: Record<string, Detail[string]> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) detail[name] = typeof value === "string" ? short(value) : value;
  }
  return detail;
}

const ID = 64;

/** Somebody's text may be a megabyte; a key has at most 4,096 bytes. */
const short = (text: string, most = 4096): string => text.slice(0, most).toWellFormed();
