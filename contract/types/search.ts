import type { FileObject } from "./files.ts";
import type { FolderObject } from "./folders.ts";

export interface SearchPage {
  files: FileObject[];
  folders: FolderObject[];
  /** null on the last page. */
  nextCursor: string | null;
  /** Files and folders on all pages; 10,000 stands for that many or more. null: not asked for. */
  total: number | null;
}
