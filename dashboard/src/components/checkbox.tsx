import { Check, Minus } from "lucide-react";
import type { InputHTMLAttributes } from "react";

export interface CheckboxProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Some but not all of the items it stands for are selected. */
  readonly indeterminate?: boolean;
}

export function Checkbox({ indeterminate = false, className = "", ...rest }: CheckboxProps) {
  return (
    <span className={`relative inline-grid size-4 flex-none place-items-center ${className}`}>
      <input
        type="checkbox"
        ref={(input) => {
          if (input !== null) input.indeterminate = indeterminate;
        }}
        className="peer absolute inset-0 size-4 appearance-none rounded-sm border border-control bg-surface transition-colors checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent hover:border-muted"
        {...rest}
      />
      {indeterminate ? (
        <Minus
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none relative size-3 text-accent-ink"
        />
      ) : (
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none relative size-3 text-accent-ink opacity-0 peer-checked:opacity-100"
        />
      )}
    </span>
  );
}
