import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { FolderObject } from "../../../../../sdk/src/holdall.ts";
import { useMediaQuery } from "../../../app/use-media-query.ts";
import { FocusArea } from "../../../components/focus-area.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Toasts } from "../../../components/toasts.tsx";
import type { FilesActions } from "../actions/files-actions.ts";
import { type Entry, entryOfFolder } from "../data/entry.ts";
import { setDetailsOpen, WIDE } from "./details-store.ts";
import { FileDetails } from "./file-details.tsx";
import { FolderDetails } from "./folder-details.tsx";
import { SelectionDetails } from "./selection-details.tsx";

export interface DetailsPanelProps {
  /** The entries that it describes; if there are none, the folder. */
  readonly entries: readonly Entry[];
  readonly folder: FolderObject | undefined;
  readonly actions: FilesActions;
  /**
   * The height of the page's header and toolbar: the panel starts below them, beside the list, which leaves
   * it `ROOM_FOR_DETAILS`. undefined: it takes part in the layout.
   */
  readonly top?: number;
}

/** Details of the selection: beside the list, or as a sheet over it on narrow screens. */
export function DetailsPanel(props: DetailsPanelProps) {
  const isWide = useMediaQuery(WIDE);
  const { top } = props;
  const head = (
    <div className="flex h-14 flex-none items-center justify-between border-line border-b pr-2 pl-4">
      <h2 className="font-semibold">Details</h2>
      <IconButton label="Close details" Icon={X} onClick={() => setDetailsOpen(false)} />
    </div>
  );
  const body = (
    <FocusArea label="Details" className="min-h-0 flex-1 overflow-y-auto">
      <Content {...props} />
    </FocusArea>
  );
  if (!isWide) {
    return (
      <Sheet>
        {head}
        {body}
      </Sheet>
    );
  }
  return (
    <aside
      aria-label="Details"
      className={`flex w-80 flex-none flex-col border-line border-l bg-canvas ${top === undefined ? "" : "absolute right-0 bottom-0 z-20"}`}
      style={{ top }}
    >
      {head}
      {body}
    </aside>
  );
}

function Content({ entries, folder, actions }: DetailsPanelProps) {
  const [first] = entries;
  if (entries.length > 1) return <SelectionDetails entries={entries} />;
  if (first?.kind === "file") {
    return <FileDetails key={first.id} file={first.file} actions={actions} />;
  }
  const shown = first ?? (folder && entryOfFolder(folder));
  if (shown?.kind !== "folder") return <p className="p-4 text-muted">Nothing is selected.</p>;
  return <FolderDetails key={shown.id} folder={shown.folder} actions={actions} />;
}

function Sheet({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label="Details"
      onCancel={(event) => {
        event.preventDefault();
        setDetailsOpen(false);
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) setDetailsOpen(false);
      }}
      className="mx-0 mt-auto mb-0 h-[75dvh] max-h-none w-dvw max-w-none overflow-hidden rounded-t-xl bg-canvas p-0 text-ink shadow-dialog open:flex open:flex-col backdrop:animate-fade"
    >
      {children}
      <Toasts />
    </dialog>
  );
}
