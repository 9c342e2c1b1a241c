import { createStore } from "../store.ts";

/** Whether the list of keyboard shortcuts is shown. */
export const shortcutHelpStore = createStore(false);

export const showShortcutHelp = (): void => shortcutHelpStore.set(true);
