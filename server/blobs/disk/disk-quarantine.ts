import { constants } from "node:fs";
import { copyFile, lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fsyncFolder } from "../../fs/fsync.ts";
import type { BlobInspection } from "../port.ts";
import { diskFault, errorCode, unlessAbsent } from "./disk-fault.ts";
import { pathOfPlace } from "./disk-place.ts";
import type { OpenFiles } from "./open-files.ts";

/** Creates `moveToQuarantine` of a store at `root`. A place keeps its path, below `<folder>/<quarantine>/blobs`. */
export function createMoveToQuarantine(
  root: string,
  folder: string,
  openFiles?: Pick<OpenFiles, "forget">,
): BlobInspection["moveToQuarantine"] {
  return async (places, quarantine) => {
    const target = join(folder, quarantine, "blobs");
    const moved: string[] = [];
    const touched = new Set<string>();
    try {
      for (const place of places) {
        const parent = dirname(place);
        await makeFolder(join(target, parent));
        const path = pathOfPlace(root, place);
        if (await move(path, pathOfPlace(target, place))) moved.push(place);
        openFiles?.forget(path.toString());
        touched.add(parent);
      }
    } catch (error) {
      throw diskFault(error);
    }
    // The new folders first: a power cut in between may leave both entries, never neither.
    for (const parent of touched) await fsyncFolder(join(target, parent));
    for (const parent of touched) {
      await fsyncFolder(join(root, parent)).catch(unlessAbsent);
      // Removes the block's folder if this was its last blob.
      if (parent !== ".") await rmdir(join(root, parent)).catch(() => {});
    }
    return moved;
  };
}

/** Creates the folder and its parents durably. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await fsyncFolder(dirname(made));
  }
}

/** false: the file does not exist. */
async function move(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    if (errorCode(error) !== "EXDEV") throw error;
  }
  return moveToOtherVolume(from, to);
}

async function moveToOtherVolume(from: Buffer, to: Buffer): Promise<boolean> {
  if (!(await lstat(from)).isFile()) {
    throw new Error(
      `${from} is not a file, and the quarantine is on another volume: move it by hand.`,
    );
  }
  await copyFile(from, to, constants.COPYFILE_EXCL);
  const copy = await open(to, "r");
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
  await fsyncFolder(dirname(to.toString()));
  await unlink(from);
  return true;
}
