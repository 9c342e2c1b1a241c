/** A combination of keys. */
export interface Combination {
  /** The value of `KeyboardEvent.key`, with letters in lower case. */
  readonly key: string;
  /** Ctrl, or Command on a Mac. */
  readonly command?: boolean;
  readonly alt?: boolean;
}

export type ShortcutName =
  | "help"
  | "palette"
  | "undo"
  | "search"
  | "refresh"
  | "open"
  | "up"
  | "rename"
  | "remove"
  | "details"
  | "toggle"
  | "selectAll"
  | "clear"
  | "previous"
  | "next"
  | "find";

export interface Shortcut {
  readonly name: ShortcutName;
  readonly text: string;
  /** Any of them. */
  readonly keys: readonly Combination[];
}

/** The parts of the dashboard where shortcuts work. */
export type ShortcutPlace = "anywhere" | "files" | "list" | "preview";

/** All keyboard shortcuts by where they work: handlers ask `shortcutOf`, and the list of shortcuts shows them. */
export const shortcuts: Readonly<Record<ShortcutPlace, readonly Shortcut[]>> = {
  anywhere: [
    { name: "palette", text: "Go to or run", keys: [{ key: "k", command: true }] },
    { name: "help", text: "Show keyboard shortcuts", keys: [{ key: "?" }] },
    { name: "undo", text: "Undo", keys: [{ key: "z", command: true }] },
  ],
  files: [
    { name: "search", text: "Search", keys: [{ key: "/" }] },
    { name: "refresh", text: "Refresh", keys: [{ key: "r" }] },
  ],
  list: [
    { name: "open", text: "Open", keys: [{ key: "Enter" }] },
    { name: "up", text: "Go to the folder above", keys: [{ key: "ArrowUp", alt: true }] },
    { name: "rename", text: "Rename", keys: [{ key: "F2" }] },
    {
      name: "remove",
      text: "Delete",
      keys: [{ key: "Delete" }, { key: "Backspace", command: true }],
    },
    { name: "details", text: "Show details", keys: [{ key: "i" }] },
    {
      name: "toggle",
      text: "Select or deselect",
      keys: [{ key: " " }, { key: " ", command: true }],
    },
    { name: "selectAll", text: "Select all", keys: [{ key: "a", command: true }] },
    { name: "clear", text: "Clear the selection", keys: [{ key: "Escape" }] },
  ],
  preview: [
    { name: "previous", text: "Previous file", keys: [{ key: "ArrowLeft" }] },
    { name: "next", text: "Next file", keys: [{ key: "ArrowRight" }] },
    { name: "find", text: "Find in a PDF", keys: [{ key: "f", command: true }] },
    { name: "details", text: "Show details", keys: [{ key: "i" }] },
    { name: "rename", text: "Rename", keys: [{ key: "F2" }] },
    { name: "remove", text: "Delete", keys: [{ key: "Delete" }] },
  ],
};

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The shortcut that a key press is, of those that work in a place; undefined if it is none. */
export const shortcutOf = (place: ShortcutPlace, event: KeyPress): ShortcutName | undefined =>
  shortcuts[place].find(({ keys }) => keys.some((combination) => matches(combination, event)))
    ?.name;

function matches({ key, command = false, alt = false }: Combination, event: KeyPress): boolean {
  const isCharacter = key.length === 1;
  const pressed = isCharacter ? event.key.toLowerCase() : event.key;
  // Other keyboards need Shift for "/", or none for "?".
  const mayShift = isCharacter && !/[a-z ]/.test(key);
  return (
    pressed === key &&
    (event.ctrlKey || event.metaKey) === command &&
    event.altKey === alt &&
    (mayShift || !event.shiftKey)
  );
}
