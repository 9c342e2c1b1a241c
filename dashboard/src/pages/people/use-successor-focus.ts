import { type RefObject, useLayoutEffect } from "react";

/**
 * When the control with the focus goes away, focuses the first control of what took the place of its row: the row
 * itself in another form, the next one, or the last one. Rows have the attribute `data-row`. Does nothing if the
 * focus had left the control before.
 */
export function useSuccessorFocus(area: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    const rows = () => [...element.querySelectorAll<HTMLElement>("[data-row]")];
    let focused: { readonly control: Element; readonly at: number } | undefined;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const at = rows().findIndex((row) => row.contains(target));
      focused = at < 0 ? undefined : { control: target, at };
    };
    const forget = ({ target }: FocusEvent) => {
      // A control that goes away loses the focus too, after which it is not in the page any more.
      queueMicrotask(() => {
        const hasLeft = target instanceof Element && target.isConnected;
        if (hasLeft && target === focused?.control && target !== document.activeElement) {
          focused = undefined;
        }
      });
    };
    const observer = new MutationObserver(() => {
      if (focused === undefined || focused.control.isConnected) return;
      // The user has moved the focus elsewhere.
      if (document.activeElement !== document.body) return;
      const all = rows();
      const row = all[Math.min(focused.at, all.length - 1)];
      const control =
        row?.querySelector<HTMLElement>('[tabindex="0"], select') ?? row?.querySelector("button");
      control?.focus();
    });
    element.addEventListener("focusin", note);
    element.addEventListener("focusout", forget);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", note);
      element.removeEventListener("focusout", forget);
      observer.disconnect();
    };
  }, [area]);
}
