/** Checks the catalog for contradictions. */
export interface CatalogInspection {
  /**
   * Finds at most `MAX_DEFECTS` of each kind. Each kind is looked for in one statement, so that
   * concurrent changes are not reported. May take long and block this process.
   */
  inspect(): AsyncIterable<CatalogDefect>;
}

export const MAX_DEFECTS = 1000;

export interface CatalogDefect {
  readonly problem: CatalogDefectKind;
  /** The id of the file, folder, upload or batch; null if the defect is in the engine's storage. */
  readonly id: string | null;
  readonly detail: string;
}

/**
 * - storage: the engine finds its own data damaged; the other kinds are not looked for then.
 * - root: there is not exactly one root folder, with the empty name and key.
 * - folder-key: a folder's key is not its parent's key plus its name. In any cycle of folders this is
 *   true of at least one, since keys would have to grow along the cycle.
 * - folder-visibility: the visibility of a folder's new files is neither its own nor its parent's.
 * - no-parent, no-folder: a folder, or a file, is in a folder that does not exist.
 * - same-name: a file and a folder in one folder have the same name.
 * - condemned: a blob is condemned although a file, a version, an open upload or a member of a batch refers to it.
 * - trash: a folder is outside the tree and in no deletion that could bring it back, or a deletion has
 *   something that is not in the trash.
 * - version: a version is of a file that does not exist.
 * - quota: the numbers of a folder's quota are not what it contains.
 */
export type CatalogDefectKind =
  | "storage"
  | "root"
  | "folder-key"
  | "no-parent"
  | "no-folder"
  | "folder-visibility"
  | "same-name"
  | "condemned"
  | "trash"
  | "version"
  | "quota";
