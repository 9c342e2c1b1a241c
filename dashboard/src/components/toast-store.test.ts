import { expect, test } from "bun:test";
import { latestUndo, showToast, toasts } from "./toast-store.ts";

test("Ctrl+Z belongs to the latest toast that undoes something", () => {
  showToast("Moved a to the trash.", { label: "Undo", undoes: true, run() {} });
  showToast("The zip file is ready.", { label: "Save", undoes: false, run() {} });
  showToast("Saved.");

  expect(latestUndo(toasts.get())?.text).toBe("Moved a to the trash.");
});
