import { FolderDown } from "lucide-react";
import { useEffect, useState } from "react";
import { displayName } from "../../text/key-parts.ts";
import { startUpload } from "../start-upload.ts";
import { droppedFiles } from "./file-sources.ts";
import { targetFolder } from "./target-folder.ts";

/** Accepts dropped files and folders anywhere on the page, and shows the target folder. */
export function DropOverlay() {
  const [folder, setFolder] = useState<string>();
  useEffect(() => {
    // `dragenter` of an element fires before `dragleave` of the previous one.
    let depth = 0;
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
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
      {folder !== undefined && <Target name={displayName(folder)} />}
    </>
  );
}

/** The same, to be seen. */
function Target({ name }: { readonly name: string }) {
  return (
    <div
      data-drop-overlay
      aria-hidden
      className="pointer-events-none fixed inset-0 z-40 animate-fade p-3 md:left-14 lg:left-58"
    >
      <div className="grid size-full place-items-end justify-items-center rounded-xl border-2 border-accent border-dashed p-6">
        <p className="flex max-w-full items-center gap-2.5 rounded-full bg-accent px-5 py-2.5 font-medium text-accent-ink shadow-pop">
          <FolderDown aria-hidden className="size-5 flex-none" />
          <span className="flex min-w-0 gap-1.5">
            <span className="flex-none">Upload to</span>
            <bdi className="truncate">“{name}”</bdi>
          </span>
        </p>
      </div>
    </div>
  );
}

/** The folder under the pointer, or the current one. */
function folderAt(target: EventTarget | null): string {
  const over = target instanceof Element ? target.closest("[data-folder-key]") : null;
  return over instanceof HTMLElement ? (over.dataset.folderKey ?? "") : targetFolder();
}
