import { type RefObject, useLayoutEffect, useRef } from "react";
import { FocusArea, type FocusAreaProps } from "../../../components/focus-area.tsx";
import { takeFocus } from "./preview-focus.ts";

export interface ContentAreaProps extends Omit<FocusAreaProps, "ref"> {
  readonly ref?: RefObject<HTMLDivElement | null>;
}

/** The content of a preview. Takes the focus when it appears, so that keys work at once. */
export function ContentArea({ ref, className = "", ...rest }: ContentAreaProps) {
  const own = useRef<HTMLDivElement>(null);
  const area = ref ?? own;
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    takeFocus(element);
    return () => {
      // The dialog keeps receiving keys until the next content has appeared.
      if (document.activeElement === element) element.closest("dialog")?.focus();
    };
  }, [area]);
  return (
    <FocusArea
      ref={area}
      data-content
      onBlur={(event) => delete event.currentTarget.dataset.quiet}
      className={`data-quiet:outline-none ${className}`}
      {...rest}
    />
  );
}
