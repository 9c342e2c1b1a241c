import { useEffect, useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import { can } from "../../rights/rights.ts";
import { displayName } from "../../text/key-parts.ts";
import { startUpload } from "../start-upload.ts";
import { droppedFiles } from "./file-sources.ts";
import { targetFolder } from "./target-folder.ts";

const DropTarget = lazyComponent(async () => (await import("./drop-target.tsx")).DropTarget);

/** Accepts dropped files and folders anywhere on the page, and shows the target folder. */
export function DropOverlay() {
  const [folder, setFolder] = useState<string>();
  useEffect(() => {
    // `dragenter` of an element fires before `dragleave` of the previous one.
    let depth = 0;
    const isFiles = (event: DragEvent) =>
      can("write") && (event.dataTransfer?.types.includes("Files") ?? false);
    const isBlocked = () => document.querySelector("dialog:modal") !== null;
    const enter = (event: DragEvent) => {
      if (!isFiles(event) || isBlocked()) return;
      depth += 1;
      event.preventDefault();
      setFolder(folderAt(event.target));
    };
    const leave = (event: DragEvent) => {
      if (!isFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setFolder(undefined);
    };
    const over = (event: DragEvent) => {
      if (!isFiles(event) || event.dataTransfer === null) return;
      // Without this, the browser would navigate to the file.
      event.preventDefault();
      event.dataTransfer.dropEffect = isBlocked() ? "none" : "copy";
      if (!isBlocked()) setFolder(folderAt(event.target));
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setFolder(undefined);
      if (!isFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      if (!isBlocked()) void startUpload(droppedFiles(event.dataTransfer, folderAt(event.target)));
    };
    const listeners = [
      ["dragenter", enter],
      ["dragleave", leave],
      ["dragover", over],
      ["drop", drop],
    ] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, []);

  return (
    <>
      {/* Screen readers announce only what changes in a region that is there already. */}
      <div role="status" aria-live="polite" className="sr-only">
        {folder !== undefined && `Upload to “${displayName(folder)}”`}
      </div>
      {folder !== undefined && <DropTarget name={displayName(folder)} />}
    </>
  );
}

/** The folder under the pointer, or the current one. */
function folderAt(target: EventTarget | null): string {
  const over = target instanceof Element ? target.closest("[data-folder-key]") : null;
  return over instanceof HTMLElement ? (over.dataset.folderKey ?? "") : targetFolder();
}
