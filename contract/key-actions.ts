/*
 * The actions of API keys. This file has no schema and no other import, since the dashboard and the
 * SDK carry it into browsers.
 */

/** Every action of API keys, in the order in which keys list them, with its meaning. */
export const keyActionTexts = {
  list: "List, find and measure files and folders, and see their details.",
  read: "Read and download private files.",
  write: "Upload, replace, rename and move files, create folders, and change visibility.",
  discard:
    "Delete files and folders into the trash. Without `delete`, what the key replaces stays as a version, so that all it does can be undone.",
  delete: "Delete files, folders, versions and the trash permanently. Implies `discard`.",
  share:
    "Create signed URLs and links to what the key may read, and links to send files where it may write.",
  keys: "Create API keys with no more rights than its own, and manage them.",
  admin:
    "Everything. Without a folder, also all API keys, the settings and the whole instance's figures.",
} as const satisfies Record<string, string>;

export type KeyAction = keyof typeof keyActionTexts;

export const keyActions = Object.keys(keyActionTexts).filter(
  (name): name is KeyAction => name in keyActionTexts,
);
