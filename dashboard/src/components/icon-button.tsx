import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import { canAll, type Right } from "../rights/rights.ts";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly Icon: LucideIcon;
  /** Shows the label beside the icon on wide screens; "roomy": where the bar of the selection has room. */
  readonly showsLabel?: boolean | "roomy";
  /** The right that the account needs; without it, there is no button. */
  readonly needs?: readonly Right[] | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The area for fingers is at least 44 pixels high and wide. */
const TARGET = "pointer-coarse:before:absolute pointer-coarse:before:-inset-1.5";
/** Not over the buttons beside it. */
const BESIDE_BUTTONS =
  "pointer-coarse:[:is(button,:has(>button))+&]:before:left-0 pointer-coarse:[&:has(+button,+*>button)]:before:right-0";

const LABELLED = "xl:inline-flex xl:w-auto xl:items-center xl:gap-1.5 xl:px-2.5";

/** A button with an icon. Its target is larger than it looks for fingers. */
export function IconButton({
  label,
  Icon,
  showsLabel = false,
  needs,
  className = "",
  ...rest
}: IconButtonProps) {
  if (!canAll(needs)) return null;
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      className={`relative inline-grid size-9 flex-none place-items-center rounded-md text-muted transition-colors duration-100 hover:bg-press hover:text-ink disabled:opacity-40 aria-expanded:bg-press aria-expanded:text-ink md:size-8 ${TARGET} ${BESIDE_BUTTONS} ${showsLabel === "roomy" ? "words-if-roomy" : showsLabel ? LABELLED : ""} ${className}`}
      {...rest}
    >
      <Icon aria-hidden className="size-4" />
      {showsLabel && (
        <span
          data-label
          className={`hidden font-medium text-sm ${showsLabel === "roomy" ? "" : "xl:inline"}`}
        >
          {label}
        </span>
      )}
    </button>
  );
}
