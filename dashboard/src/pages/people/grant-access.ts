import type { GrantAction } from "../../../../sdk/src/people.ts";
import { findPreset } from "../../rights/find-preset.ts";

export interface GrantPreset {
  readonly value: string;
  readonly label: string;
  readonly actions: readonly GrantAction[];
  readonly hint: string;
}

/** The usual rights of a member in a folder. */
export const GRANT_PRESETS: readonly GrantPreset[] = [
  {
    value: "write",
    label: "Read and write",
    actions: ["list", "read", "write", "discard", "share"],
    hint: "Open, upload, change, share and delete files. What they delete stays in the trash.",
  },
  {
    value: "full",
    label: "Read, write and delete permanently",
    actions: ["list", "read", "write", "delete", "share"],
    hint: "Like read and write, and they may also empty the trash of the folder.",
  },
  {
    value: "read",
    label: "Read only",
    actions: ["list", "read"],
    hint: "See and download files.",
  },
  {
    value: "upload",
    label: "Upload only",
    actions: ["write"],
    hint: "Upload files, without seeing what is in the folder.",
  },
];

export const CUSTOM_GRANT = "custom";

/** The actions that a grant can allow, with their meanings. */
export const GRANT_ACTION_TEXTS = {
  list: { label: "List", text: "See the names and details of files and folders." },
  read: { label: "Read", text: "Open and download files." },
  write: { label: "Write", text: "Upload, replace, rename and move files, and make folders." },
  discard: { label: "Move to trash", text: "Delete files so that they can be restored." },
  delete: { label: "Delete", text: "Delete files permanently, too." },
  share: { label: "Share", text: "Create links to what they can open." },
} as const satisfies Record<GrantAction, { readonly label: string; readonly text: string }>;

export const GRANT_ACTIONS = ["list", "read", "write", "discard", "delete", "share"] as const;

/** The preset with exactly these actions. */
export const presetOf = (actions: readonly GrantAction[]): GrantPreset | undefined =>
  findPreset(GRANT_PRESETS, actions);

/** The actions of a grant in words, such as "Read and write". */
export function grantLabel(actions: readonly GrantAction[]): string {
  const preset = presetOf(actions);
  if (preset !== undefined) return preset.label;
  const [first = "", ...rest] = GRANT_ACTIONS.filter((action) => actions.includes(action)).map(
    (action) => GRANT_ACTION_TEXTS[action].label,
  );
  return [first, ...rest.map((label) => label.toLowerCase())].join(", ");
}

/** The label of a grant in lower case, for the middle of a sentence. */
export const grantText = (actions: readonly GrantAction[]): string =>
  grantLabel(actions).toLowerCase();
