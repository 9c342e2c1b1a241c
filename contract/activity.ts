/*
 * The actions of the audit log, in words. Without a schema or another import, since the dashboard
 * and the SDK carry these texts into browsers.
 */

export interface ActionText {
  /** A heading for entries of this action. */
  readonly label: string;
  /** "You uploaded …" */
  readonly past: string;
  /** "You could not upload …" */
  readonly infinitive: string;
}

/** Every action in the audit log: the audited operations of the API by their ids, and a few others. */
export const actionTexts = {
  uploadFiles: { label: "Uploads", past: "uploaded", infinitive: "upload" },
  putContent: { label: "Stored files", past: "stored", infinitive: "store" },
  createUpload: { label: "New upload URLs", past: "created", infinitive: "create" },
  fetchFiles: {
    label: "Files from URLs",
    past: "began to fetch",
    infinitive: "fetch",
  },
  createBatch: { label: "New batches", past: "started", infinitive: "start" },
  changeFile: { label: "File changes", past: "changed", infinitive: "change" },
  copyFiles: { label: "File copies", past: "copied", infinitive: "copy" },
  deleteFiles: { label: "File deletions", past: "deleted", infinitive: "delete" },
  undoChanges: { label: "Undone changes", past: "undid", infinitive: "undo" },
  signFile: { label: "Signed URLs created", past: "created", infinitive: "create" },
  createLink: { label: "Links created", past: "created", infinitive: "create" },
  changeLink: { label: "Link changes", past: "changed", infinitive: "change" },
  revokeLink: { label: "Revoked links", past: "revoked", infinitive: "revoke" },
  receiveFiles: { label: "Files received", past: "sent", infinitive: "send" },
  download: { label: "Downloads", past: "downloaded", infinitive: "download" },
  createFolder: { label: "New folders", past: "created", infinitive: "create" },
  setQuota: { label: "Quotas", past: "set", infinitive: "set" },
  changeFolder: { label: "Folder changes", past: "changed", infinitive: "change" },
  copyFolder: { label: "Folder copies", past: "copied", infinitive: "copy" },
  signFolder: { label: "Signed folder URLs created", past: "created", infinitive: "create" },
  deleteFolder: { label: "Folder deletions", past: "deleted", infinitive: "delete" },
  restoreTrash: { label: "Restored from the trash", past: "restored", infinitive: "restore" },
  emptyTrash: {
    label: "Trash deletions",
    past: "permanently deleted",
    infinitive: "permanently delete",
  },
  restoreVersion: {
    label: "Restored versions",
    past: "restored an earlier version of",
    infinitive: "restore an earlier version of",
  },
  deleteVersions: { label: "Version deletions", past: "deleted", infinitive: "delete" },
  createKey: { label: "New API keys", past: "created", infinitive: "create" },
  renameKey: { label: "Renamed API keys", past: "renamed", infinitive: "rename" },
  rotateKey: { label: "Rotated API keys", past: "rotated", infinitive: "rotate" },
  revokeKey: { label: "Revoked API keys", past: "revoked", infinitive: "revoke" },
  revealS3Credentials: { label: "S3 credentials", past: "revealed", infinitive: "reveal" },
  createWebhook: { label: "New webhooks", past: "created", infinitive: "create" },
  changeWebhook: { label: "Webhook changes", past: "changed", infinitive: "change" },
  rotateWebhook: { label: "Rotated webhooks", past: "rotated", infinitive: "rotate" },
  replayWebhook: { label: "Replayed webhooks", past: "replayed", infinitive: "replay" },
  deleteWebhook: { label: "Deleted webhooks", past: "deleted", infinitive: "delete" },
  setup: { label: "Setup", past: "created", infinitive: "create" },
  signIn: { label: "Sign-ins", past: "signed in", infinitive: "sign in" },
  signOut: { label: "Sign-outs", past: "signed out", infinitive: "sign out" },
  endSessions: { label: "Signed-out sessions", past: "signed out", infinitive: "sign out" },
  changeEmail: { label: "Email changes", past: "changed", infinitive: "change" },
  changePassword: { label: "Password changes", past: "changed", infinitive: "change" },
  enableSecondFactor: { label: "Two-step sign-in on", past: "turned on", infinitive: "turn on" },
  disableSecondFactor: {
    label: "Two-step sign-in off",
    past: "turned off",
    infinitive: "turn off",
  },
  renewRecoveryCodes: { label: "New recovery codes", past: "renewed", infinitive: "renew" },
  signInWithPasskey: {
    label: "Sign-ins with a passkey",
    past: "signed in",
    infinitive: "sign in",
  },
  signInWithOidc: {
    label: "Sign-ins with the provider",
    past: "signed in",
    infinitive: "sign in",
  },
  connectIdentity: {
    label: "Connections with the provider",
    past: "began to connect",
    infinitive: "connect",
  },
  disconnectIdentity: {
    label: "Disconnected providers",
    past: "disconnected",
    infinitive: "disconnect",
  },
  preparePasskey: { label: "Refused passkeys", past: "asked for", infinitive: "add" },
  addPasskey: { label: "New passkeys", past: "added", infinitive: "add" },
  renamePasskey: { label: "Renamed passkeys", past: "renamed", infinitive: "rename" },
  removePasskey: { label: "Removed passkeys", past: "removed", infinitive: "remove" },
  createAccount: { label: "New accounts", past: "created", infinitive: "create" },
  changeAccount: { label: "Account changes", past: "changed", infinitive: "change" },
  removeAccount: { label: "Removed accounts", past: "removed", infinitive: "remove" },
  resetAccount: { label: "Account resets", past: "reset the sign-in of", infinitive: "reset" },
  createGrant: { label: "New grants", past: "granted a folder to", infinitive: "grant" },
  changeGrant: { label: "Grant changes", past: "changed a grant of", infinitive: "change" },
  removeGrant: { label: "Removed grants", past: "removed a grant of", infinitive: "remove" },
  createInvite: { label: "Invitations", past: "invited", infinitive: "invite" },
  removeInvite: { label: "Withdrawn invitations", past: "withdrew", infinitive: "withdraw" },
  acceptInvite: { label: "Accepted invitations", past: "accepted", infinitive: "accept" },
  clearActivity: { label: "Cleared activity", past: "deleted", infinitive: "delete" },
  startScrub: { label: "File checks", past: "started", infinitive: "start" },
  changeSettings: { label: "Settings changes", past: "changed", infinitive: "change" },
  putLogo: { label: "New logos", past: "set", infinitive: "set" },
  removeLogo: { label: "Removed logos", past: "removed", infinitive: "remove" },
  resetPassword: { label: "Password resets", past: "set", infinitive: "set" },
} as const satisfies Record<string, ActionText>;

export type Action = keyof typeof actionTexts;

/** The actions that are operations of the API, with the same id. */
export type AuditedOperation = Exclude<Action, "receiveFiles" | "download" | "resetPassword">;

export const actions = Object.keys(actionTexts).filter(
  (name): name is Action => name in actionTexts,
);
