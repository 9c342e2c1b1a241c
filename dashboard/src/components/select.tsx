import { ChevronDown } from "lucide-react";
import type { SelectHTMLAttributes } from "react";
import { FIELD_LOOK } from "./input.tsx";

export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** The platform's own list, which every device knows how to show best. */
export function Select({ options, onChange, className = "", ...rest }: SelectProps) {
  return (
    <span className={`relative inline-block ${className}`}>
      <select
        className={`h-9 appearance-none pr-8 pl-3 ${FIELD_LOOK}`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted"
      />
    </span>
  );
}
