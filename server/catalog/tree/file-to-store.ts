import type { Lifetime } from "../../domain/lifetime.ts";
import type { MetadataText, NewFile, Visibility } from "../../domain/records.ts";

export interface FileToStore extends NewFile {
  /** If it is added under a free name. */
  readonly visibility: Visibility;
  /** If it replaces a file; undefined: that file keeps its own. */
  readonly replacedVisibility: Visibility | undefined;
  /** If it is added under a free name; undefined: that of the folder. */
  readonly lifetime: Lifetime | undefined;
  /** If it replaces a file; undefined: that of the folder, or if it has none, that file's own end. */
  readonly replacedLifetime: Lifetime | undefined;
  /** undefined: none for a new file; a replaced one keeps its own, but for the content coding. */
  readonly metadata: MetadataText | null | undefined;
}
