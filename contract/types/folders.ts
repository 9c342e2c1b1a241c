import type { FileObject, Visibility } from "./files.ts";

export interface FolderObject {
  id: string;
  name: string;
  key: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A subfolder in the list of its parent. */
export interface SubfolderObject extends FolderObject {
  /** The first files directly in it, at most four, by natural name. Only with `peek`. */
  peek?: FileObject[] | undefined;
}

/** What uploads to a folder get if they name no visibility. */
export interface FolderVisibility {
  id: string;
  key: string;
  /** null: inherited. */
  defaultVisibility: Visibility | null;
  /** The folder's own default, else the nearest one of a folder above, else the setting. */
  effectiveVisibility: Visibility;
  /**
   * The folder above with that default. null: the folder has its own, or it comes from the setting, or from
   * a folder that the caller may not see.
   */
  inheritedFrom: { id: string; key: string } | null;
}

/** A folder with a default of its own. */
export interface FolderDefault {
  id: string;
  key: string;
  defaultVisibility: Visibility;
}

export interface VisibilityCounts {
  files: { public: number; private: number };
  /** Subfolders with a default of their own. */
  folders: { public: number; private: number };
}

export interface FolderSize {
  files: number;
  folders: number;
  bytes: number;
}

export interface MeasuredFolder extends FolderSize {
  id: string;
}

/** The sum of several folders, in which one inside another counts once, and each of them. */
export interface FolderSizes extends FolderSize {
  each: MeasuredFolder[];
}
