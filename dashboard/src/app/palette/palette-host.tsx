import { useEffect } from "react";
import { lazyComponent } from "../lazy-component.tsx";
import { shortcutOf } from "../shortcuts/shortcuts.ts";
import { useStore } from "../store.ts";
import { openPalette, paletteStore } from "./palette-store.ts";

const Palette = lazyComponent(async () => (await import("./palette.tsx")).Palette);

/** The palette of commands, when its key is pressed. */
export function PaletteHost() {
  const isOpen = useStore(paletteStore);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (shortcutOf("anywhere", event) !== "palette") return;
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
