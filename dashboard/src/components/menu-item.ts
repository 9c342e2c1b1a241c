import type { LucideIcon } from "lucide-react";

export interface MenuItem {
  readonly label: string;
  readonly Icon?: LucideIcon;
  /** The key that does the same, for people to read. */
  readonly keys?: string;
  readonly tone?: "danger";
  /** A line above it. */
  readonly apart?: boolean;
  readonly onSelect: () => void;
}
