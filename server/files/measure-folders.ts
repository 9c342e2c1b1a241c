import type { FileTree, Measure, MeasuredFolder } from "../catalog/port/file-tree.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";
import { noSuchFolder } from "./find.ts";

export interface MeasuredFolders extends Measure {
  /** Each folder, in the order of its first mention. */
  readonly each: readonly MeasuredFolder[];
}

/**
 * The content of several folders, of each and in total. In the total, a folder inside another one
 * counts once, as a part of that. Fault "not_found": one of them does not exist. Throws
 * `ConnectionClosed` soon after `signal` is aborted.
 */
export async function measureFolders(
  tree: FileTree,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<MeasuredFolders> {
  const wanted = [...new Set(ids)];
  const each = await tree.measureEach(wanted, undefined, signal);
  if (each.length < wanted.length) throw noSuchFolder();
  const sum = { files: 0, folders: 0, bytes: 0 };
  for (const { key, files, folders, bytes } of each) {
    if (each.some((other) => isBelow(key, other.key))) continue;
    sum.files += files;
    sum.folders += folders;
    sum.bytes += bytes;
  }
  return { ...sum, each };
}

const isBelow = (key: Key, other: Key): boolean =>
  key !== other && (other === ROOT_KEY || key.startsWith(`${other}/`));
