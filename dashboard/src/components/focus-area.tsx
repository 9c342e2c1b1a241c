import type { HTMLAttributes, Ref } from "react";

export interface FocusAreaProps extends HTMLAttributes<HTMLDivElement> {
  readonly label: string;
  readonly ref?: Ref<HTMLDivElement>;
}

/** A focusable group that scrolls by keyboard or handles keys itself. */
export function FocusArea({ label, className = "", ...rest }: FocusAreaProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a `fieldset` neither scrolls nor shrinks well.
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
      tabIndex={0}
      className={`focus-visible:-outline-offset-2 ${className}`}
      {...rest}
    />
  );
}
