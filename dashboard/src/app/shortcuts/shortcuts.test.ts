import { expect, test } from "bun:test";
import { shortcutOf, shortcuts } from "./shortcuts.ts";

const press = (key: string, held: readonly ("ctrl" | "meta" | "alt" | "shift")[] = []) => ({
  key,
  ctrlKey: held.includes("ctrl"),
  metaKey: held.includes("meta"),
  altKey: held.includes("alt"),
  shiftKey: held.includes("shift"),
});

test("finds the shortcut of a key press", () => {
  expect(shortcutOf("list", press("F2"))).toBe("rename");
  expect(shortcutOf("list", press("a", ["ctrl"]))).toBe("selectAll");
  expect(shortcutOf("list", press("A", ["meta"]))).toBe("selectAll");
  expect(shortcutOf("list", press("Backspace", ["meta"]))).toBe("remove");
  expect(shortcutOf("list", press("ArrowUp", ["alt"]))).toBe("up");
  expect(shortcutOf("anywhere", press("?", ["shift"]))).toBe("help");
  expect(shortcutOf("anywhere", press("?"))).toBe("help");
  expect(shortcutOf("files", press("/", ["shift"]))).toBe("search");
});

test("other modifier keys, and other places, are no shortcut", () => {
  expect(shortcutOf("list", press("a"))).toBeUndefined();
  expect(shortcutOf("list", press("F2", ["shift"]))).toBeUndefined();
  expect(shortcutOf("list", press("i", ["ctrl"]))).toBeUndefined();
  expect(shortcutOf("files", press("r", ["meta"]))).toBeUndefined();
  expect(shortcutOf("files", press("R", ["shift"]))).toBeUndefined();
  expect(shortcutOf("files", press("F2"))).toBeUndefined();
  expect(shortcutOf("anywhere", press("z", ["ctrl", "shift"]))).toBeUndefined();
});

test("no two shortcuts of a place have the same keys", () => {
  for (const place of Object.values(shortcuts)) {
    const keys = place.flatMap((shortcut) => shortcut.keys.map((each) => JSON.stringify(each)));
    expect(new Set(keys).size).toBe(keys.length);
  }
});
