import type { FileObject } from "./files.ts";
import type { FolderObject } from "./folders.ts";

export interface SearchPage {
  files: FileObject[];
  folders: FolderObject[];
  /** null on the last page. */
  nextCursor: string | null;
}
