import type { ActivityObject } from "../../../../sdk/src/holdall.ts";

/** Labels of the action filter, in display order. */
export const ACTION_LABELS: Record<ActivityObject["action"], string> = {
  uploadFiles: "Uploads",
  changeFile: "File changes",
  deleteFiles: "File deletions",
  signFile: "Links created",
  createFolder: "New folders",
  changeFolder: "Folder changes",
  deleteFolder: "Folder deletions",
  createKey: "New API keys",
  renameKey: "Renamed API keys",
  revokeKey: "Revoked API keys",
  signIn: "Sign-ins",
  signOut: "Sign-outs",
  endSessions: "Signed-out sessions",
  changeEmail: "Email changes",
  changePassword: "Password changes",
  resetPassword: "Password resets",
  changeSettings: "Settings changes",
  setup: "Setup",
};
