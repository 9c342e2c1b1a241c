import { type ReactNode, useId } from "react";
import { Select, type SelectProps } from "./select.tsx";

export interface SelectFieldProps extends Pick<SelectProps, "options" | "value" | "onChange"> {
  readonly label: string;
  readonly hint: ReactNode;
  /** Fields of the chosen option, between the select and the hint. */
  readonly children?: ReactNode;
}

/** A labelled select with a hint. */
export function SelectField({ label, hint, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <Select id={id} aria-describedby={`${id}-hint`} {...select} />
      {children}
      <p id={`${id}-hint`} className="text-muted text-sm empty:hidden">
        {hint}
      </p>
    </div>
  );
}
