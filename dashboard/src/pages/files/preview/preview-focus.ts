import { type RefObject, useEffect } from "react";

/** Focuses the content of a preview, unless the user has moved the focus elsewhere by keyboard. */
export function takeFocus(content: HTMLElement): void {
  const active = document.activeElement;
  const dialog = content.closest("dialog");
  const isFree =
    active === null ||
    active === document.body ||
    active === dialog ||
    (dialog?.contains(active) === true &&
      !active.matches(":focus-visible") &&
      active.closest("[role=menu]") === null);
  if (!isFree || isCovered(dialog)) return;
  // No focus ring around the whole content until the user moves the focus there.
  content.dataset.quiet = "";
  content.focus({ preventScroll: true });
}

/** Focuses the content of the dialog, or the dialog itself until there is content. */
export function focusContent(dialog: HTMLDialogElement): void {
  const content = dialog.querySelector<HTMLElement>("[data-content]");
  if (content === null) dialog.focus();
  else takeFocus(content);
}

/** Whether another dialog is open above. */
export function isCovered(dialog: HTMLDialogElement | null): boolean {
  const all = [...document.querySelectorAll("dialog:modal")];
  return all.some((each) => each !== dialog && !each.contains(dialog));
}

/**
 * Returns the focus to the content when the focused element is gone, such as a button of a closed dialog. It does so
 * before the browser delivers another event, so that no key that users press meanwhile is lost.
 */
export function useKeptFocus(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const handleFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) return;
      // Once what removes the element has ended: it may still focus another one.
      queueMicrotask(() => {
        if (document.activeElement !== document.body || isCovered(dialog.current)) return;
        if (dialog.current !== null) focusContent(dialog.current);
      });
    };
    document.addEventListener("focusout", handleFocusOut);
    return () => document.removeEventListener("focusout", handleFocusOut);
  }, [dialog]);
}
