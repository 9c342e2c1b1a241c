import { type KeyAction, keyActions } from "../../../../contract/key-actions.ts";
import { findPreset } from "../../rights/find-preset.ts";

export interface AccessPreset {
  readonly value: string;
  readonly label: string;
  readonly actions: readonly KeyAction[];
  /** Completes the description of a key in the dialog. */
  readonly hint: string;
}

/** The usual rights of a key. */
export const ACCESS_PRESETS: readonly AccessPreset[] = [
  {
    value: "readWrite",
    label: "Read and write",
    actions: ["list", "read", "write", "delete", "share"],
    hint: "List, download, upload, change, share and delete files.",
  },
  {
    value: "recoverable",
    label: "Read and write, recoverable",
    actions: ["list", "read", "write", "discard", "share"],
    hint: "Like read and write, but what the key deletes stays in the trash and what it replaces stays as a version. For backups and agents.",
  },
  {
    value: "readOnly",
    label: "Read only",
    actions: ["list", "read"],
    hint: "List and download files.",
  },
  {
    value: "uploadOnly",
    label: "Upload only",
    actions: ["write"],
    hint: "Upload, rename, move and replace files, without listing or downloading private ones.",
  },
  {
    value: "full",
    label: "Full access",
    actions: ["admin"],
    hint: "Everything that you can do, including settings and other keys.",
  },
];

export const CUSTOM_ACCESS = "custom";

/** The choices of somebody who may give these actions to a key. */
export const accessOptions = (mayGive: (action: KeyAction) => boolean) => [
  ...ACCESS_PRESETS.filter(({ actions }) => actions.every(mayGive)).map(({ value, label }) => ({
    value,
    label,
  })),
  { value: CUSTOM_ACCESS, label: "Custom…" },
];

/** The actions to choose from; `admin` is the preset "Full access". */
export const customActions = (mayGive: (action: KeyAction) => boolean): KeyAction[] =>
  keyActions.filter((action) => action !== "admin" && mayGive(action));

const ACTION_LABELS: Readonly<Record<KeyAction, string>> = {
  list: "List",
  read: "Read",
  write: "Write",
  discard: "Move to trash",
  delete: "Delete",
  share: "Share",
  keys: "Create keys",
  admin: "Full access",
};

export const actionLabel = (action: KeyAction): string => ACTION_LABELS[action];

/** The rights of a key: the name of a preset, or its actions. */
export function accessLabel(actions: readonly KeyAction[]): string {
  if (actions.includes("admin")) return "Full access";
  const preset = findPreset(ACCESS_PRESETS, actions);
  if (preset !== undefined) return preset.label;
  const [first = "", ...rest] = actions.map(actionLabel);
  return [first, ...rest.map((label) => label.toLowerCase())].join(", ");
}
