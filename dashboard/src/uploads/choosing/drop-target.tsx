import { FolderDown } from "lucide-react";

/** Shows where dropped files go. Screen readers have a text of their own. */
export function DropTarget({ name }: { readonly name: string }) {
  return (
    <div
      data-drop-overlay
      aria-hidden
      className="pointer-events-none fixed inset-0 z-40 animate-fade p-1 md:left-14 lg:left-58"
    >
      <div className="grid size-full place-items-end justify-items-center rounded-lg border-2 border-accent border-dashed bg-accent/8 p-6">
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
