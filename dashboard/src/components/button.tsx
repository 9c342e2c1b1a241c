import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, MouseEvent, Ref } from "react";
import { canAll, type Right } from "../rights/rights.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: "sm" | "md" | "lg";
  readonly Icon?: LucideIcon | undefined;
  /** Shows a spinner and ignores clicks. The button keeps the focus. */
  readonly busy?: boolean;
  /** The right that the account needs; without it, there is no button. */
  readonly needs?: readonly Right[] | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-accent text-accent-ink border-transparent not-disabled:hover:bg-accent-strong",
  secondary: "bg-surface text-ink border-edge shadow-sm not-disabled:hover:bg-hover",
  quiet: "bg-transparent text-ink border-transparent not-disabled:hover:bg-press",
  danger: "bg-bad-solid text-bad-ink border-transparent not-disabled:hover:brightness-110",
};

const SIZES = {
  sm: "h-8 px-2.5 text-sm gap-1.5",
  md: "h-9 px-3 text-base gap-2",
  lg: "h-10 px-4 text-base gap-2",
};

interface Look {
  readonly variant: ButtonVariant;
  readonly size: NonNullable<ButtonProps["size"]>;
}

/** The look of a button, also for links that leave the dashboard. */
export const buttonClass = ({ variant, size }: Look): string =>
  `relative inline-flex flex-none items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors duration-100 pointer-coarse:before:absolute pointer-coarse:before:inset-x-0 pointer-coarse:before:-inset-y-1.75 disabled:cursor-not-allowed disabled:border-line disabled:bg-press disabled:text-faint disabled:shadow-none aria-disabled:opacity-60 ${VARIANTS[variant]} ${SIZES[size]}`;

/** A button; fingers may also press a little above and below it. */
export function Button({
  variant = "secondary",
  size = "md",
  Icon,
  busy = false,
  needs,
  className = "",
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  if (!canAll(needs)) return null;
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      onClick={handleClick}
      className={`${buttonClass({ variant, size })} ${className}`}
      {...rest}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden className="size-4 flex-none" />}
      {children}
    </button>
  );
}
