import type { ActivityObject } from "../../../../sdk/src/holdall.ts";

/** What each action is called where one is chosen, in the order of the list. */
export const ACTION_LABELS: Record<ActivityObject["action"], string> = {
  uploadFiles: "Uploads",
  changeFile: "Changes of files",
  deleteFiles: "Deletions of files",
  signFile: "Links made",
  createFolder: "New folders",
  changeFolder: "Changes of folders",
  deleteFolder: "Deletions of folders",
  createKey: "New API keys",
  renameKey: "Renamed API keys",
  revokeKey: "Revoked API keys",
  signIn: "Sign-ins",
  signOut: "Sign-outs",
  endSessions: "Ended sessions",
  changeEmail: "Changes of the email address",
  changePassword: "Changes of the password",
  resetPassword: "Resets of the password",
  changeSettings: "Changes of settings",
  setup: "The set-up",
};
