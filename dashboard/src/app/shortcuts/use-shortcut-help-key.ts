import { useEffect } from "react";
import { showShortcutHelp } from "./shortcut-help-store.ts";
import { shortcutOf } from "./shortcuts.ts";

/** Shows the list of keyboard shortcuts when its key is pressed, except while typing. */
export function useShortcutHelpKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (shortcutOf("anywhere", event) !== "help" || event.repeat || isTyping(event.target))
        return;
      event.preventDefault();
      showShortcutHelp();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input, textarea, select, dialog:not([data-preview]), [role=menu]") !== null;
