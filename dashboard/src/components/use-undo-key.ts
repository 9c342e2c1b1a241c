import { useEffect } from "react";
import { shortcutOf } from "../app/shortcuts.ts";
import { runToastAction, type Toast } from "./toast-store.ts";

/** Runs the toast's action on Ctrl+Z or Cmd+Z, except where that undoes typing. */
export function useUndoKey(toast: Toast | undefined): void {
  useEffect(() => {
    if (toast === undefined) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (shortcutOf("anywhere", event) !== "undo" || isTyping(event.target)) return;
      event.preventDefault();
      if (!event.repeat) runToastAction(toast);
    };
    // Dialogs stop the keys that reach them.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [toast]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [role=menu]") !== null;
