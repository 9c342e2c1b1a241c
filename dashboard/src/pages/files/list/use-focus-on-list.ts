import { type RefObject, useEffect } from "react";

/* On the first visit the focus is the browser's own business. */
let isFirst = true;

/**
 * Gives the focus to the list when what had it is gone: a field, a menu, a bar, another folder's
 * list. It looks whenever `changes` is another.
 */
export function useFocusOnList(page: RefObject<HTMLElement | null>, changes: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change is what it looks after.
  useEffect(() => {
    const list = page.current?.querySelector<HTMLElement>("[data-entries]") ?? null;
    if (list === null) return;
    if (document.activeElement === document.body && !isFirst) list.focus({ preventScroll: true });
    isFirst = false;
  }, [page, changes]);
}
