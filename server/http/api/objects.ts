import { actions } from "../../../contract/activity.ts";
import type {
  AccountObject,
  ActivityObject,
  ApiKeyObject,
  FileObject,
  FolderObject,
  IdentityObject,
  LinkObject,
  PasskeyObject,
  SessionObject,
  SignedUrl,
  SubfolderObject,
} from "../../../contract/api.ts";
import type { ListedApiKey } from "../../access/api-keys.ts";
import type { IdentityRecord } from "../../domain/accounts.ts";
import type { ActivityRecord } from "../../domain/activity.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import { hostingUrl } from "../../domain/names/hosting-url.ts";
import type {
  AccountRecord,
  BranchingFolder,
  Millis,
  PasskeyRecord,
  PeekedFolder,
  SessionRecord,
} from "../../domain/records.ts";
import { timestamp } from "../../domain/timestamp.ts";
import type { ListedFile, ListedFolder } from "../../domain/tree-change.ts";
import type { SignedLink } from "../../files/sign.ts";
import type { LinkView } from "../../links/link-view.ts";

/* Records as API objects, with exactly the fields of the contract. */

export function fileObject(file: ListedFile): FileObject {
  return {
    id: file.id,
    name: file.name,
    key: file.key,
    mimeType: file.mimeType,
    size: file.size,
    folderId: file.folderId,
    visibility: file.visibility,
    url: hostingUrl(file.key),
    createdAt: timestamp(file.createdAt),
    updatedAt: timestamp(file.updatedAt),
  };
}

export function folderObject(folder: ListedFolder): FolderObject {
  return {
    id: folder.id,
    name: folder.name,
    key: folder.key,
    parentId: folder.parentId,
    createdAt: timestamp(folder.createdAt),
    updatedAt: timestamp(folder.updatedAt),
  };
}

export const peekedFolderObject = (folder: PeekedFolder): SubfolderObject => ({
  ...folderObject(folder),
  peek: folder.peek.map(fileObject),
});

export const branchingFolderObject = (folder: BranchingFolder): SubfolderObject => ({
  ...folderObject(folder),
  hasFolders: folder.hasFolders,
});

export const signedUrlObject = ({ url, expiresAt }: SignedLink): SignedUrl => ({
  url,
  expiresAt: new Date(expiresAt).toISOString(),
});

export const maybeTimestamp = (time: Millis | null): string | null =>
  time === null ? null : timestamp(time);

export const keyObject = (key: ListedApiKey): ApiKeyObject => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  createdAt: timestamp(key.createdAt),
  lastUsedAt: maybeTimestamp(key.lastUsedAt),
  expiresAt: maybeTimestamp(key.expiresAt),
  actions: [...key.actions],
  folder: folderOf(key),
  parentId: key.parentId,
  accountId: key.accountId ?? null,
  oldSecretExpiresAt: maybeTimestamp(key.oldSecretEndsAt),
});

function folderOf({ folderIds: [id], folderKeys: [key = null] }: ListedApiKey) {
  return id === undefined ? null : { id, key };
}

export const linkObject = (link: LinkView): LinkObject => ({
  id: link.id,
  url: link.token === null ? null : `s/${link.token}`,
  kind: link.kind,
  title: link.title,
  subject: {
    ...link.subject,
    key: link.subjectKey,
    name: link.subjectName,
  },
  hasPassword: link.passwordHash !== null,
  expiresAt: maybeTimestamp(link.expiresAt),
  usesLeft: link.usesLeft,
  visits: link.visits,
  downloadOnly: link.downloadOnly,
  maxBytes: link.maxBytes,
  maxFiles: link.maxFiles,
  deleteAtEnd: link.deleteAtEnd,
  ...lifetimeFields(link.lifetime),
  state: link.state,
  createdAt: timestamp(link.createdAt),
  revokedAt: maybeTimestamp(link.revokedAt),
  createdBy: { ...link.maker },
});

function lifetimeFields(lifetime: Lifetime | null) {
  const value = lifetime === null ? null : Number(lifetime.slice(3));
  return {
    fileExpiresIn: lifetime?.startsWith("in ") ? value : null,
    fileExpiresAt: lifetime?.startsWith("at ") ? maybeTimestamp(value) : null,
  };
}

export const identityObject = ({ issuer, subject, createdAt }: IdentityRecord): IdentityObject => ({
  issuer,
  subject,
  createdAt: timestamp(createdAt),
});

export const accountObject = (account: AccountRecord): AccountObject => ({
  id: account.id,
  email: account.email,
  role: account.role,
  hasPassword: account.passwordHash !== "",
  createdAt: timestamp(account.createdAt),
});

export const passkeyObject = (passkey: PasskeyRecord): PasskeyObject => ({
  id: passkey.id,
  name: passkey.name,
  host: passkey.host,
  credentialId: passkey.credentialId,
  synced: passkey.isSynced,
  createdAt: timestamp(passkey.createdAt),
  lastUsedAt: maybeTimestamp(passkey.lastUsedAt),
});

/** `current` is the id of the caller's session. */
export const sessionObject = (session: SessionRecord, current: string): SessionObject => ({
  id: session.id,
  current: session.id === current,
  userAgent: session.userAgent,
  address: session.address,
  createdAt: timestamp(session.createdAt),
  lastSeenAt: timestamp(session.lastSeenAt),
  expiresAt: timestamp(session.expiresAt),
});

/** undefined: an action that this version does not know. */
export function activityObject(record: ActivityRecord): ActivityObject | undefined {
  const action = actions.find((known) => known === record.action);
  if (action === undefined) return undefined;
  const { subject } = record;
  const hasKey = subject?.kind === "file" || subject?.kind === "folder";
  return {
    id: record.id,
    at: timestamp(record.at),
    action,
    outcome: record.outcome,
    status: record.status,
    actor: { ...record.actor },
    address: record.address,
    subject: subject && {
      kind: subject.kind,
      id: subject.id,
      key: hasKey ? subject.name : null,
      name: hasKey ? null : subject.name,
    },
    detail: { ...record.detail },
  };
}
