import type { HTMLAttributes, Ref } from "react";

export interface FocusAreaProps extends HTMLAttributes<HTMLDivElement> {
  readonly label: string;
  readonly ref?: Ref<HTMLDivElement>;
}

/** What takes the focus as a whole: it scrolls by keys, or has keys of its own. */
export function FocusArea({ label, className = "", ...rest }: FocusAreaProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a `fieldset` neither scrolls nor shrinks well.
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
      tabIndex={0}
      className={`focus-visible:-outline-offset-2 ${className}`}
      {...rest}
    />
  );
}
