import { type DragEvent, useState } from "react";
import { formatCount } from "../../../text/format-count.ts";
import { type Entry, nameOf } from "../data/entry.ts";
import { moveRefusal } from "./move-refusal.ts";

const TYPE = "application/x-holdall-entries";

/* Kept here because browsers hide the data of a drag until the drop. */
let dragged: readonly Entry[] = [];

export function startDrag(event: DragEvent, entries: readonly Entry[]): void {
  dragged = entries;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData(TYPE, entries.map(({ id }) => id).join(","));
  const [first] = entries;
  if (first === undefined) return;
  const image = document.createElement("div");
  image.textContent = entries.length === 1 ? nameOf(first) : formatCount(entries.length, "item");
  image.className =
    "fixed -top-40 left-0 max-w-60 truncate rounded-md bg-accent px-3 py-1.5 text-accent-ink text-sm";
  document.body.append(image);
  event.dataTransfer.setDragImage(image, -12, -6);
  setTimeout(() => image.remove());
}

export const endDrag = (): void => {
  dragged = [];
};

export interface DropFolder {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

/** Whether the entries can move there: not into themselves, nor into the folder they are in. */
export function canDrop(entries: readonly Entry[], target: DropFolder): boolean {
  return entries.length > 0 && moveRefusal(entries, target) === undefined;
}

export type Drop = (entries: readonly Entry[], folder: DropFolder) => void;

/** Marks the element of a folder that something is dragged over: a ring, which no selection has. */
export const DROP_TARGET =
  "data-over:bg-accent-line/50 data-over:outline-2 data-over:outline-accent data-over:outline-dashed";

/**
 * Props that make the element of a folder a drop target: of entries, and of local files, which
 * `uploads/drop-overlay.tsx` uploads into the folder with this key.
 */
export function useDropTarget(folder: DropFolder | undefined, onDrop: Drop) {
  const [isOver, setIsOver] = useState(false);
  const accepts = (event: DragEvent) =>
    folder !== undefined && event.dataTransfer.types.includes(TYPE) && canDrop(dragged, folder);
  return {
    "data-over": isOver || undefined,
    "data-folder-key": folder?.key,
    onDragOver: (event: DragEvent) => {
      if (folder !== undefined && event.dataTransfer.types.includes("Files")) setIsOver(true);
      if (!accepts(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      if (!isOver) setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false);
      if (folder === undefined || !accepts(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const entries = dragged;
      endDrag();
      onDrop(entries, folder);
    },
  };
}
