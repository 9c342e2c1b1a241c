import type { LucideIcon } from "lucide-react";

export interface MenuItem {
  readonly label: string;
  readonly Icon?: LucideIcon;
  /** Keyboard shortcut, for display only. */
  readonly shortcut?: string;
  readonly tone?: "danger";
  /** One of several choices: whether it is the current one. */
  readonly isChecked?: boolean;
  /** Draws a separator above the item. */
  readonly separated?: boolean;
  /** A sheet leaves the item out, because room is scarce there and a tap on the entry does the same. */
  readonly isForMenus?: boolean;
  readonly onSelect: () => void;
}
