import type { FileObject } from "../../../sdk/src/holdall.ts";
import { queryClient } from "../app/client.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { patchFiles } from "../pages/files/data/patch-folders.ts";
import { versionsKey } from "../pages/files/data/refresh-details.ts";
import { findFile } from "./find-file.ts";
import { type Item, keyOf } from "./item.ts";
import { undone } from "./queue.ts";
import { isSameContent } from "./same-content.ts";
import { uploadClient, uploads } from "./uploads.ts";

/** The items whose replacements are being undone. */
const running = new Set<number>();

/** Gives a file the content back that this upload replaced, once. Says what happened. */
export async function undoReplacement(item: Item): Promise<void> {
  const { id } = item;
  // A second time would exchange the contents once more.
  if (running.has(id)) return;
  running.add(id);
  try {
    const file = await restoreBefore(item);
    uploads.work.items = undone(uploads.work.items, new Set([id]));
    uploads.work.publish();
    patchFiles(queryClient, [file]);
    showToast(`“${file.name}” has its earlier content again.`);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: versionsKey(file.id) }),
      queryClient.invalidateQueries({ queryKey: ["file details", file.id] }),
    ]);
  } catch (error) {
    showErrorToast(error);
  } finally {
    running.delete(id);
  }
}

async function restoreBefore(item: Item): Promise<FileObject> {
  const { name, content, replacedAt } = item;
  const { files } = uploadClient;
  const file = await findFile(uploadClient, item.storedKey ?? keyOf(item));
  if (file === undefined || content === undefined || replacedAt === undefined)
    throw new Error(`“${name}” is not there any more.`);
  const { versions } = await files.versions(file, { limit: 1 });
  const [latest] = versions;
  if (latest === undefined || latest.replacedAt < replacedAt)
    throw new Error(`The content that “${name}” had before is not kept any more.`);
  // The latest version is what this upload replaced only if nothing has replaced its content since. The times
  // are whole seconds, so the contents are compared too.
  const { signal } = new AbortController();
  const isOurs = latest.replacedAt === replacedAt;
  if (!isOurs || !(await isSameContent(files, file, content, signal))) {
    throw new Error(`“${name}” has changed since. Its details list its earlier versions.`);
  }
  return files.restoreVersion(latest.id);
}
