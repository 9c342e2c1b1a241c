import type { LucideIcon } from "lucide-react";
import type { Right } from "../../rights/rights.ts";

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
  /** The right that the account needs; without it, the menu leaves the item out. */
  readonly needs?: readonly Right[] | undefined;
  /** A sheet leaves the item out, because room is scarce there and a tap on the entry does the same. */
  readonly isForMenus?: boolean;
  readonly onSelect: () => void;
}
