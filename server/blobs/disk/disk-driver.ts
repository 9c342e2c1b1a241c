import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "../../fs/data-folder-layout.ts";
import { makeWritable } from "../../fs/make-writable.ts";
import { syncVolume } from "../../fs/volume.ts";
import type { BlobDriver } from "../driver.ts";
import { createDiskBlobs } from "./disk.ts";
import { createDiskCopies } from "./disk-copies.ts";
import { createDiskInspection } from "./disk-inspection.ts";

/** Blobs as files in the data folder. */
export function createDiskDriver(_settings: Readonly<Record<never, never>>): BlobDriver {
  return {
    isLocal: true,
    async open({ folder, hasFiles, onTrouble }) {
      requireFolder(folder, hasFiles);
      makeWritable(folder.blobs, "The folder of the blobs");
      return { blobs: await createDiskBlobs(folder.blobs, onTrouble), links: null };
    },
    async openSource({ folder, hasFiles, scratch }) {
      requireFolder(folder, hasFiles);
      return createDiskInspection(folder.blobs, join(scratch.path, "quarantine"));
    },
    openDestination: async ({ folder }) => ({
      blobs: await createDiskBlobs(folder.blobs),
      open: () => createDiskCopies(folder.blobs, syncVolume),
      publish: async () => {},
    }),
  };
}

function requireFolder({ blobs }: DataFolder, hasFiles: boolean): void {
  if (!hasFiles || existsSync(blobs)) return;
  throw new Error(
    `${blobs} does not exist: is its volume mounted? If the files are on S3, set BLOBS=s3.`,
  );
}
