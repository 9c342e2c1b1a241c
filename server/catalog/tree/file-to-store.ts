import type { MetadataText, NewFile, Visibility } from "../../domain/records.ts";

export interface FileToStore extends NewFile {
  /** If it is added under a free name. */
  readonly visibility: Visibility;
  /** If it replaces a file; undefined: that file keeps its own. */
  readonly replacedVisibility: Visibility | undefined;
  /** undefined: none for a new file; a replaced one keeps its own, but for the content coding. */
  readonly metadata: MetadataText | null | undefined;
}
