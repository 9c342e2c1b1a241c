import { expect, test } from "bun:test";
import { dismissToast, showToast, toasts } from "./toast-store.ts";
import { undoStore } from "./undo-store.ts";

test("Ctrl+Z undoes what the latest toast that can undo something says, until it is gone", () => {
  const undone: string[] = [];
  const undo = (name: string) => ({ label: "Undo", undoes: true, run: () => undone.push(name) });
  showToast("Moved a to the trash.", undo("a"));
  showToast("Moved b to the trash.", undo("b"));
  showToast("The zip file is ready.", { label: "Save", undoes: false, run() {} });
  showToast("Saved.");
  const ofB = toasts.get().find(({ text }) => text.startsWith("Moved b"));
  dismissToast(ofB?.id ?? 0);
  undoStore.get().at(-1)?.run();
  expect(undone).toEqual(["a"]);
  expect(undoStore.get()).toEqual([]);
  expect(toasts.get().map(({ text }) => text)).toEqual(["The zip file is ready.", "Saved."]);
});
