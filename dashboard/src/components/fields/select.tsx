import { ChevronDown, type LucideIcon } from "lucide-react";
import type { SelectHTMLAttributes } from "react";
import { FIELD_CLASS } from "./input.tsx";

export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> {
  /** Before the children, such as groups of more options. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  /** Replaces the select's text on narrow screens. */
  readonly NarrowIcon?: LucideIcon;
  /** A filter or an order is lighter than a field of a form. */
  readonly isFilter?: boolean;
}

const FILTER_CLASS =
  "[&_select]:truncate [&_select]:border-edge [&_select]:text-sm sm:[&_select]:h-8 sm:[&_svg]:top-2";

/** A native select. */
export function Select(props: SelectProps) {
  const {
    options,
    onChange,
    className = "",
    NarrowIcon,
    isFilter = false,
    children,
    ...rest
  } = props;
  return (
    <span
      className={`relative inline-block ${NarrowIcon ? "max-sm:grid max-sm:size-9 max-sm:place-items-center max-sm:rounded-md max-sm:has-focus-visible:outline-2 max-sm:has-focus-visible:outline-accent" : ""} ${isFilter ? FILTER_CLASS : ""} ${className}`}
    >
      {NarrowIcon && <NarrowIcon aria-hidden className="size-4 text-muted sm:hidden" />}
      <select
        className={`h-9 appearance-none pr-8 pl-3 ${FIELD_CLASS} ${NarrowIcon ? "max-sm:absolute max-sm:-inset-1 max-sm:size-11 max-sm:opacity-0" : ""}`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className={`pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted ${NarrowIcon ? "max-sm:hidden" : ""}`}
      />
    </span>
  );
}
