import { useEffect } from "react";
import { can } from "../../rights/rights.ts";
import { startUpload } from "../start-upload.ts";
import { looseFiles } from "./file-sources.ts";
import { pastedName } from "./pasted-name.ts";
import { targetFolder } from "./target-folder.ts";

/** Uploads files and images pasted anywhere except into a field or a dialog. */
export function usePasteUpload(): void {
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      const { target } = event;
      const isInField =
        target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
      if (
        files.length === 0 ||
        !can("write") ||
        isInField ||
        document.querySelector("dialog:modal")
      )
        return;
      event.preventDefault();
      const folder = targetFolder();
      const now = new Date();
      const sources = files.map((content) => ({ folder, name: pastedName(content, now), content }));
      void startUpload(looseFiles(folder, sources));
    };
    document.addEventListener("paste", handlePaste);
    return () => document.removeEventListener("paste", handlePaste);
  }, []);
}
