import { useEffect } from "react";
import { shortcutOf } from "../app/shortcuts/shortcuts.ts";
import { useStore } from "../app/store.ts";
import { undoStore } from "./undo-store.ts";

/** Undoes the latest change on Ctrl+Z or Cmd+Z, except where that undoes typing. */
export function useUndoKey(): void {
  const undo = useStore(undoStore).at(-1);
  useEffect(() => {
    if (undo === undefined) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (shortcutOf("anywhere", event) !== "undo" || isTyping(event.target)) return;
      event.preventDefault();
      if (!event.repeat) undo.run();
    };
    // Dialogs stop the keys that reach them.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [undo]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [role=menu]") !== null;
