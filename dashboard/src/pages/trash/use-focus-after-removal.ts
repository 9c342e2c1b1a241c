import { type RefObject, useLayoutEffect, useRef } from "react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";

/** When the row with the focus has gone, focuses the row that took its place, or else the page. */
export function useFocusAfterRemoval(
  list: RefObject<HTMLElement | null>,
  items: readonly TrashItem[],
): void {
  const focused = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const note = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-index]") : null;
      focused.current = row === null ? undefined : Number(row.getAttribute("data-index"));
    };
    const forget = (event: FocusEvent) => {
      // Without a related target the element may have been removed.
      if (event.relatedTarget !== null) focused.current = undefined;
    };
    element.addEventListener("focusin", note);
    element.addEventListener("focusout", forget);
    return () => {
      element.removeEventListener("focusin", note);
      element.removeEventListener("focusout", forget);
      if (document.activeElement === document.body && focused.current !== undefined) {
        document.getElementById("content")?.focus({ preventScroll: true });
      }
    };
  }, [list]);
  useLayoutEffect(() => {
    const index = focused.current;
    if (index === undefined || document.activeElement !== document.body) return;
    const at = Math.min(index, items.length - 1);
    list.current?.querySelector<HTMLElement>(`[data-index="${at}"] [data-restore]`)?.focus();
  }, [list, items]);
}
