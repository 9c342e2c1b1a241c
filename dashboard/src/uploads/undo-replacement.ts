import type { FileObject } from "../../../sdk/src/holdall.ts";
import { queryClient } from "../app/client.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { loadOperations } from "../operations/load-operations.ts";
import { once } from "../operations/once.ts";
import type { Work as OperationWork } from "../operations/operate.ts";
import type { Outcome } from "../operations/operations.ts";
import { patchFiles, refreshFolders } from "../pages/files/data/patch-folders.ts";
import { versionsKey } from "../pages/files/data/refresh-details.ts";
import { formatCount } from "../text/format-count.ts";
import { findFile, hasStatus } from "./find-file.ts";
import type { Group } from "./group.ts";
import { type Item, keyOf } from "./item.ts";
import { undone } from "./queue.ts";
import { isSameContent } from "./same-content.ts";
import { uploadClient, uploads } from "./uploads.ts";

/** The items and groups whose replacements are being undone. */
const running = new Set<number>();

/** Gives a file the content back that this upload replaced, once. Says what happened. */
export async function undoReplacement(item: Item): Promise<void> {
  const { id } = item;
  // A second time would exchange the contents once more.
  if (running.has(id)) return;
  running.add(id);
  try {
    const file = await restoreBefore(item, await findFile(uploadClient, storedKeyOf(item)));
    if (file === undefined) {
      throw new Error(`The content that “${item.name}” had before is not kept any more.`);
    }
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

/** Likewise all files that the upload of a folder replaced. Files that it added stay. */
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
  const finished = new Set<number>();
  let restored = 0;
  const { failure, failed } = await run(items, async (item) => {
    const file = await restoreBefore(item, await findByKey(storedKeyOf(item)));
    finished.add(item.id);
    if (file === undefined) return;
    restored += 1;
    await refreshFile(file);
  });
  const left = (work.group(id)?.replaced ?? 0) - restored;
  work.items = undone(work.items, finished);
  // The others of those that it has looked at are not kept any more.
  work.changeGroup(id, { replaced: signal.aborted || failed > 0 ? left : 0 });
  work.publish();
  const text = formatCount(restored, "file has its", "files have their");
  return {
    text: restored === 0 ? undefined : `${text} earlier content again.`,
    failure: failure ?? (signal.aborted || left === 0 ? undefined : notKept(left)),
  };
}

const notKept = (files: number): Error =>
  new Error(`The earlier content of ${formatCount(files, "file")} is not kept any more.`);

const storedKeyOf = (item: Item): string => (item.storedKey ?? keyOf(item)).normalize("NFC");

async function findByKey(key: string): Promise<FileObject | undefined> {
  try {
    return await uploadClient.files.getByKey(key);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

const refreshFile = ({ id }: FileObject): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: versionsKey(id) }),
    queryClient.invalidateQueries({ queryKey: ["file details", id] }),
  ]);

/**
 * Returns the file with the content that it had before; undefined: that is not kept. Throws if the file is not
 * there any more or has changed since.
 */
async function restoreBefore(
  { name, content, replacedAt }: Item,
  file: FileObject | undefined,
): Promise<FileObject | undefined> {
  const { files } = uploadClient;
  if (file === undefined || content === undefined || replacedAt === undefined)
    throw new Error(`“${name}” is not there any more.`);
  const { versions } = await files.versions(file, { limit: 1 });
  const [latest] = versions;
  if (latest === undefined || latest.replacedAt < replacedAt) return undefined;
  // The latest version is what this upload replaced only if nothing has replaced its content since. The times
  // are whole seconds, so the contents are compared too.
  const { signal } = new AbortController();
  const isOurs = latest.replacedAt === replacedAt;
  if (!isOurs || !(await isSameContent(files, file, content, signal))) {
    throw new Error(`“${name}” has changed since. Its details list its earlier versions.`);
  }
  // A second time would find that the file has changed.
  return once(files.restoreVersion(latest.id));
}
