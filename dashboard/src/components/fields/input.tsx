import type { InputHTMLAttributes, Ref } from "react";

export interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly ref?: Ref<HTMLInputElement>;
}

/** Classes shared by all inputs and selects. */
export const FIELD_CLASS =
  "w-full rounded-md border border-control bg-surface text-ink transition-colors placeholder:text-muted hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-bad disabled:bg-hover disabled:text-muted";

export function Input({ className = "", ...rest }: InputProps) {
  return <input className={`h-9 px-3 ${FIELD_CLASS} ${className}`} {...rest} />;
}
