import { type ReactNode, useId } from "react";
import { Input, type InputProps } from "./input.tsx";

export interface FieldProps extends InputProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Validation error; announced by screen readers when it appears. */
  readonly error?: string | undefined;
  /** Rendered inside the field, at its end. */
  readonly trailing?: ReactNode;
}

/** A labelled input with a hint and an error. */
export function Field({ label, hint, error, trailing, className = "", ...input }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <span className="relative block">
        <Input
          id={id}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={describedBy || undefined}
          className={trailing ? `pr-11 ${className}` : className}
          {...input}
        />
        {trailing}
      </span>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} role="alert" className="text-bad text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}
