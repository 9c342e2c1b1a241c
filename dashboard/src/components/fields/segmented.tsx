import type { LucideIcon } from "lucide-react";
import { useId } from "react";

export interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** Shown instead of the label, which stays the accessible name. */
    readonly Icon?: LucideIcon;
    /** Shown instead of the label, too. */
    readonly short?: string;
  }[];
  readonly className?: string;
}

/** A radio group shown as a segmented control. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  className = "",
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={`flex h-8 rounded-md border border-edge bg-surface p-0.5 ${className}`}
    >
      {options.map((option) => (
        <label
          key={option.value}
          data-tooltip={(option.Icon ?? option.short) && option.label}
          className="relative grid min-w-8 flex-auto cursor-pointer place-items-center whitespace-nowrap rounded-sm px-2 text-muted text-sm transition-colors hover:text-ink has-checked:bg-press has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0 pointer-coarse:-inset-y-2 pointer-coarse:h-11"
          />
          {option.Icon && <option.Icon aria-hidden className="size-4" />}
          {option.short && <span aria-hidden>{option.short}</span>}
          {option.Icon || option.short ? (
            <span className="sr-only">{option.label}</span>
          ) : (
            option.label
          )}
        </label>
      ))}
    </div>
  );
}
