import { useEffect } from "react";
import { lazyComponent } from "../lazy-component.tsx";
import { shortcutOf } from "../shortcuts/shortcuts.ts";
import { useStore } from "../store.ts";
import { openPalette, paletteStore, typedEarly } from "./palette-store.ts";

const Palette = lazyComponent(async () => (await import("./palette.tsx")).Palette);

/** Keeps what is typed while the script of the palette loads. */
function keepEarly(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isTyped = key.length === 1 && !ctrlKey && !metaKey && !altKey;
  const hasField = target instanceof Element && target.closest("dialog[data-palette]") !== null;
  if (!paletteStore.get() || hasField || !isTyped) return;
  typedEarly.text += key;
  event.preventDefault();
  event.stopPropagation();
}

/** The palette of commands, when its key is pressed. */
export function PaletteHost() {
  const isOpen = useStore(paletteStore);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (shortcutOf("anywhere", event) !== "palette") return keepEarly(event);
      // The browser's own use of the key would take the focus away.
      event.preventDefault();
      // A dialog asks something first.
      if (document.querySelector("dialog:modal:not([data-preview])") === null) openPalette();
    };
    // Dialogs keep keys to themselves.
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, []);
  return isOpen ? <Palette onClose={() => paletteStore.set(false)} /> : null;
}
