import { useEffect } from "react";
import { upload } from "./begin.ts";
import { pastedName } from "./pasted-name.ts";
import { targetFolder } from "./target-folder.ts";

/** Uploads files and images pasted anywhere except into a field or a dialog. */
export function usePaste(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const { target } = event;
      const isElsewhere =
        target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
      if (files.length === 0 || isElsewhere || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      const folder = targetFolder();
      const now = new Date();
      void upload([files.map((file) => ({ folder, name: pastedName(file, now), content: file }))]);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}
