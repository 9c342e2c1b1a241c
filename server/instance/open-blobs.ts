import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import type { BlobCopies, BlobInspection, BlobLinks, Blobs } from "../blobs/port.ts";
import { rememberSmall } from "../blobs/remember-small.ts";
import type { Catalog } from "../catalog/port.ts";
import type { Config } from "../config/config.ts";
import { ROOT_KEY } from "../rules/name.ts";
import type { DataFolder } from "./data-folder.ts";

export interface OpenBlobs {
  readonly blobs: Blobs & BlobInspection;
  /** null: clients cannot reach the store themselves. */
  readonly links: BlobLinks | null;
}

export interface OpenBlobsOptions {
  /** Hears of trouble with a store that is not on this machine, in one line. */
  readonly onTrouble: (message: string) => void;
  /** Whether there must be a store already; else one is begun where there is nothing. */
  readonly mustExist: boolean;
}

/**
 * The bytes of an instance: in its data folder, or in the bucket that the configuration names.
 * Error: they are to be in the one and are in the other, or the store cannot be used.
 */
export async function openBlobs(
  { s3, fileMemory }: Pick<Config, "s3" | "fileMemory">,
  folder: DataFolder,
  catalog: Pick<Catalog, "folderByKey" | "blobsAfter">,
  { onTrouble, mustExist }: OpenBlobsOptions,
): Promise<OpenBlobs> {
  const hasFiles = (await catalog.blobsAfter(-1, 1)).length > 0;
  if (s3 === null) {
    if (hasFiles && !existsSync(folder.blobs)) {
      throw new Error(
        `${folder.blobs} is not there: is its volume mounted? If the files are on S3, set BLOBS=s3.`,
      );
    }
    const blobs = await createDiskBlobs(folder.blobs);
    return { blobs: rememberSmall(blobs, fileMemory), links: null };
  }
  if (existsSync(folder.blobs) && readdirSync(folder.blobs).length > 0) {
    throw new Error(
      `BLOBS is s3, but ${folder.path} has files of its own (${folder.blobs}): take BLOBS away, or choose another DATA_PATH.`,
    );
  }
  const root = await catalog.folderByKey(ROOT_KEY);
  if (root === undefined) throw new Error("The catalog has lost its root folder.");
  // Whoever has no use for it should not pay for it.
  const { claimBucket, requireBucket } = await import("../blobs/s3/claim-bucket.ts");
  if (hasFiles || mustExist) await requireBucket(s3, root.id);
  else await claimBucket(s3, root.id);
  const { blobs, links } = await openS3(s3, folder, onTrouble);
  return { blobs: rememberSmall(blobs, fileMemory), links };
}

/** The store alone, whosever it is. */
export async function openS3(
  settings: NonNullable<Config["s3"]>,
  folder: DataFolder,
  onTrouble: (message: string) => void,
): Promise<OpenBlobs> {
  const { createS3Blobs } = await import("../blobs/s3/s3.ts");
  const blobs = await createS3Blobs({
    settings,
    staging: join(folder.path, "staging"),
    onTrouble: ({ message }) => onTrouble(`S3: ${message}`),
  });
  return { blobs, links: blobs };
}

/** A bucket that is filled for an instance, such as by a restore. */
export interface BucketCopies {
  readonly blobs: Blobs & BlobInspection;
  open(): BlobCopies;
  /** Lets servers use it. Doing it again is not an error. */
  publish(): Promise<void>;
}

/**
 * Makes the bucket ready to be filled for the instance whose root folder has this id, together
 * with this folder. Error: it cannot be used, is another instance's, or has files in it that no
 * earlier try has left.
 */
export async function openBucketCopies(
  settings: NonNullable<Config["s3"]>,
  folder: DataFolder & { readonly isWhole: boolean },
  of: string,
  onTrouble: (message: string) => void,
): Promise<BucketCopies> {
  const { beginFilling, endFilling } = await import("../blobs/s3/claim-bucket.ts");
  const { createS3Copies } = await import("../blobs/s3/s3-copies.ts");
  await beginFilling(settings, of, folder.isWhole ? "published" : "empty");
  const { blobs } = await openS3(settings, folder, onTrouble);
  return {
    blobs,
    open: () => createS3Copies(settings, blobs),
    publish: () => endFilling(settings, of),
  };
}
