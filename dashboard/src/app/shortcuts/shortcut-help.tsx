import { lazyComponent } from "../lazy-component.tsx";
import { useStore } from "../store.ts";
import { shortcutHelpStore } from "./shortcut-help-store.ts";
import { useShortcutHelpKey } from "./use-shortcut-help-key.ts";

const ShortcutDialog = lazyComponent(
  async () => (await import("./shortcut-dialog.tsx")).ShortcutDialog,
);

/** The list of keyboard shortcuts, when it is asked for. */
export function ShortcutHelp() {
  const isShown = useStore(shortcutHelpStore);
  useShortcutHelpKey();
  return isShown ? <ShortcutDialog onClose={() => shortcutHelpStore.set(false)} /> : null;
}
