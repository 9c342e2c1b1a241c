import type { FileObject, FileSelector, FileVersion } from "../../../../sdk/src/holdall.ts";
import { queryClient } from "../../app/connection/client.ts";
import { showErrorToast, showToast } from "../../components/toast-store.ts";
import { loadOperations } from "../../operations/load-operations.ts";
import { once } from "../../operations/once.ts";
import type { Work as OperationWork } from "../../operations/operate.ts";
import type { Outcome } from "../../operations/operations.ts";
import { patchFiles, refreshFolders } from "../../pages/files/data/patch-folders.ts";
import { versionsKey } from "../../pages/files/data/refresh-details.ts";
import { formatCount } from "../../text/format-count.ts";
import type { Group } from "../group.ts";
import { type Item, keyOf } from "../item.ts";
import { undone } from "../queue.ts";
import { findFile, hasStatus } from "../records/find-file.ts";
import { isSameContent } from "../records/same-content.ts";
import { uploadClient, uploads } from "../uploads.ts";

/** Files of a folder that are looked at, and restored, at once. */
const RESTORED_AT_ONCE = 6;

/** The items and groups whose replacements are being undone. */
const running = new Set<number>();

/** Gives a file the content back that this upload replaced, once. Says what happened. */
export async function undoReplacement(item: Item): Promise<void> {
  const { id } = item;
  // A second time would exchange the contents once more.
  if (running.has(id)) return;
  running.add(id);
  try {
    const stored = await findFile(uploadClient, storedKeyOf(item));
    if (stored === undefined) throw new Error(`“${item.name}” is not there any more.`);
    const replaced = await findReplaced(item, stored);
    if (replaced === undefined) {
      throw new Error(`The content that “${item.name}” had before is not kept any more.`);
    }
    const file = await restore(item, stored, replaced);
    uploads.work.items = undone(uploads.work.items, new Set([id]));
    uploads.work.publish();
    patchFiles(queryClient, [file]);
    showToast(`“${file.name}” has its earlier content again.`);
    await refreshFile(file);
  } catch (error) {
    showErrorToast(error);
  } finally {
    running.delete(id);
  }
}

/** Undoes all replacements of a folder upload. Files that it added stay. */
export async function undoGroupReplacements({ id, name }: Group): Promise<void> {
  if (running.has(id)) return;
  running.add(id);
  try {
    const { operate } = await loadOperations();
    await operate(`Undoing the replacements of “${name}”`, (work) => restoreGroup(id, work));
    await refreshFolders(queryClient);
  } catch (error) {
    showErrorToast(error);
  } finally {
    running.delete(id);
  }
}

async function restoreGroup(id: number, { run, signal }: OperationWork): Promise<Outcome> {
  const { work } = uploads;
  const items = work.itemsOf(id).filter(({ replacedAt }) => replacedAt !== undefined);
  const replaced = work.group(id)?.replaced ?? 0;
  const finished = new Set<number>();
  let restored = 0;
  const step = async (item: Item): Promise<void> => {
    // Which items replaced files is not known, only how many. The rest has added files.
    const file = restored < replaced ? await restoreIfReplaced(item) : undefined;
    finished.add(item.id);
    if (file === undefined) return;
    restored += 1;
    await refreshFile(file);
  };
  const { failure, failed } = await run(items, step, { atOnce: RESTORED_AT_ONCE });
  const left = replaced - restored;
  work.items = undone(work.items, finished);
  // The others of those that it has looked at cannot be restored.
  work.changeGroup(id, { replaced: signal.aborted || failed > 0 ? left : 0 });
  work.publish();
  const text = formatCount(restored, "file has its", "files have their");
  return {
    text: restored === 0 ? undefined : `${text} earlier content again.`,
    failure: failure ?? (signal.aborted || left === 0 ? undefined : notRestored(left)),
  };
}

const notRestored = (files: number): Error =>
  new Error(
    `The earlier content of ${formatCount(files, "file")} was not found: it is not kept any more, or moved or deleted with its file.`,
  );

const storedKeyOf = (item: Item): string => (item.storedKey ?? keyOf(item)).normalize("NFC");

/** Does nothing to a file that was added, whatever has become of it. */
async function restoreIfReplaced(item: Item): Promise<FileObject | undefined> {
  const key = storedKeyOf(item);
  const replaced = await findReplaced(item, { key });
  return replaced && restore(item, await uploadClient.files.getByKey(key), replaced);
}

const refreshFile = ({ id }: FileObject): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: versionsKey(id) }),
    queryClient.invalidateQueries({ queryKey: ["file details", id] }),
  ]);

interface Replaced {
  readonly version: FileVersion;
  /** Whether no content has been replaced since. */
  readonly isLatest: boolean;
}

/** Finds what an upload replaced; undefined: nothing, or it is not kept any more, or the file is not there. */
async function findReplaced(
  { replacedAt = "" }: Item,
  file: FileSelector,
): Promise<Replaced | undefined> {
  let isLatest = true;
  try {
    for await (const version of uploadClient.files.eachVersion(file)) {
      if (version.replacedAt < replacedAt) return undefined;
      if (version.replacedAt === replacedAt) return { version, isLatest };
      isLatest = false;
    }
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
  return undefined;
}

/** Returns the file with the content that it had before. Throws if it has changed since. */
async function restore(
  { name, content }: Item,
  file: FileObject,
  { version, isLatest }: Replaced,
): Promise<FileObject> {
  const { files } = uploadClient;
  // The times are whole seconds, so the contents are compared too.
  const { signal } = new AbortController();
  if (!isLatest || content === undefined || !(await isSameContent(files, file, content, signal))) {
    throw new Error(`“${name}” has changed since. Its details list its earlier versions.`);
  }
  // A second time would find that the file has changed.
  return once(files.restoreVersion(version.id));
}
