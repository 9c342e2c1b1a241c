import type { FileObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import type { Entry } from "../data/entry.ts";

/** What the page can be asked to do; where something has to be asked first, it asks. */
export interface FilesActions {
  open(entry: Entry): void;
  rename(entry: Entry): void;
  move(entries: readonly Entry[]): void;
  moveInto(entries: readonly Entry[], folder: { readonly id: string; readonly name: string }): void;
  visibility(entries: readonly Entry[]): void;
  setVisibility(entries: readonly Entry[], visibility: Visibility): void;
  remove(entries: readonly Entry[]): void;
  download(entries: readonly Entry[]): void;
  link(file: FileObject): void;
  newFolder(): void;
}
