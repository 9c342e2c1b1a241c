import { createStore } from "../store.ts";

/** Whether the drawer with the navigation is open, on phones. */
export const navigationStore = createStore(false);

export const openNavigation = (): void => navigationStore.set(true);
