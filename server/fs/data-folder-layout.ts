import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The paths in a data folder. */
export interface DataFolder {
  readonly path: string;
  readonly catalog: string;
  readonly blobs: string;
  /** Smaller sizes of images, which can be made again. */
  readonly variants: string;
}

export function dataFolderAt(path: string): DataFolder {
  return {
    path,
    catalog: join(path, "catalog.sqlite"),
    blobs: join(path, "blobs"),
    variants: join(path, "variants"),
  };
}

/** The path of a new catalog file before it replaces the current one. */
export const catalogDraftOf = ({ catalog }: Pick<DataFolder, "catalog">): string =>
  `${catalog}.new`;

/** Whether the data folder has blobs. */
export const hasBlobs = ({ blobs }: Pick<DataFolder, "blobs">): boolean =>
  existsSync(blobs) && readdirSync(blobs).length > 0;
