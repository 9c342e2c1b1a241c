import type { FileObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import type { Entry } from "../data/entry.ts";

/** The actions of the files page. Those that need input or confirmation open a dialog. */
export interface FilesActions {
  open(entry: Entry): void;
  rename(entry: Entry): void;
  move(entries: readonly Entry[]): void;
  /** Next to the originals. */
  duplicate(entries: readonly Entry[]): void;
  copy(entries: readonly Entry[]): void;
  moveInto(entries: readonly Entry[], folder: { readonly id: string; readonly name: string }): void;
  visibility(entries: readonly Entry[]): void;
  setVisibility(entries: readonly Entry[], visibility: Visibility): void;
  /** To the trash, or permanently if there is none. */
  remove(entries: readonly Entry[]): void;
  download(entries: readonly Entry[]): void;
  share(entry: Entry): void;
  /** Shows the details panel for the file or folder. */
  details(entry: Entry): void;
  /** Edits the text of the file. */
  edit(file: FileObject): void;
  /** Offers what embeds the file in pages and texts. */
  embed(file: FileObject): void;
  /** Edits the headers that are sent with the file. */
  headers(file: FileObject): void;
  newFolder(): void;
}
