/** What is noted: the operations that change something or let somebody in, and one command. */
export const actions = [
  "uploadFiles",
  "changeFile",
  "deleteFiles",
  "signFile",
  "createFolder",
  "changeFolder",
  "deleteFolder",
  "createKey",
  "renameKey",
  "revokeKey",
  "setup",
  "signIn",
  "signOut",
  "endSessions",
  "changeEmail",
  "changePassword",
  "changeSettings",
  "resetPassword",
] as const;

export type Action = (typeof actions)[number];

/** Those that are operations of the API, with the same id. */
export type AuditedOperation = Exclude<Action, "resetPassword">;
