import { type RefObject, useEffect } from "react";

/* On the first page load the focus is left to the browser. */
let isFirst = true;

/**
 * Moves the focus to the list when the focused element has been removed, such as a field, a menu,
 * a toolbar or another folder's list. Checks whenever `changes` changes.
 */
export function useFocusOnList(page: RefObject<HTMLElement | null>, changes: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers the check.
  useEffect(() => {
    const list = page.current?.querySelector<HTMLElement>("[data-entries]") ?? null;
    if (list === null) return;
    if (document.activeElement === document.body && !isFirst) list.focus({ preventScroll: true });
    isFirst = false;
  }, [page, changes]);
}
