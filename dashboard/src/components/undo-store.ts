import { createStore } from "../app/store.ts";

/** A change that can be undone for as long as the dashboard says so, in a toast or in a panel. */
export interface Undo {
  readonly id: string;
  readonly run: () => void;
}

/** All of them, oldest first. Ctrl+Z runs the last one. */
export const undoStore = createStore<readonly Undo[]>([]);

export const addUndo = (id: string, run: () => void): void =>
  undoStore.set([...undoStore.get(), { id, run }]);

export const removeUndo = (id: string): void =>
  undoStore.set(undoStore.get().filter((undo) => undo.id !== id));
