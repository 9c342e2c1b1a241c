import { Check, Minus } from "lucide-react";
import type { InputHTMLAttributes } from "react";

export interface CheckboxProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Some but not all of the items it stands for are selected. */
  readonly indeterminate?: boolean;
}

/** A checkbox. It reacts to presses around the box: 24 px with a mouse, 44 px by touch. */
export function Checkbox({ indeterminate = false, className = "", ...rest }: CheckboxProps) {
  const Mark = indeterminate ? Minus : Check;
  return (
    <span className={`relative inline-grid size-4 flex-none place-items-center ${className}`}>
      <input
        type="checkbox"
        ref={(input) => {
          if (input !== null) input.indeterminate = indeterminate;
        }}
        className="peer absolute -inset-1 z-1 size-6 appearance-none pointer-coarse:-inset-3.5 pointer-coarse:size-11 focus-visible:outline-none"
        {...rest}
      />
      <span
        aria-hidden
        className="absolute inset-0 rounded-sm border border-control bg-surface transition-colors peer-checked:border-accent peer-checked:bg-accent peer-indeterminate:border-accent peer-indeterminate:bg-accent peer-hover:border-muted peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2 peer-checked:forced-fill peer-indeterminate:forced-fill"
      />
      <Mark
        aria-hidden
        strokeWidth={3}
        className="relative size-3 text-accent-ink opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 forced-colors:text-[HighlightText]"
      />
    </span>
  );
}
