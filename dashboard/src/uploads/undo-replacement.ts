import type { FileObject } from "../../../sdk/src/holdall.ts";
import { queryClient } from "../app/client.ts";
import { showErrorToast, showToast } from "../components/toast-store.ts";
import { patchFiles } from "../pages/files/data/patch-folders.ts";
import { versionsKey } from "../pages/files/data/refresh-details.ts";
import { findFile } from "./find-file.ts";
import { type Item, keyOf } from "./item.ts";
import { isSameContent } from "./same-content.ts";
import { uploadClient } from "./uploads.ts";

/** Gives a file the content back that this upload replaced. Says what happened. */
export async function undoReplacement(item: Item): Promise<void> {
  try {
    const file = await restoreBefore(item);
    patchFiles(queryClient, [file]);
    showToast(`“${file.name}” has its earlier content again.`);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: versionsKey(file.id) }),
      queryClient.invalidateQueries({ queryKey: ["file details", file.id] }),
    ]);
  } catch (error) {
    showErrorToast(error);
  }
}

async function restoreBefore(item: Item): Promise<FileObject> {
  const { name, content } = item;
  const { files } = uploadClient;
  const file = await findFile(uploadClient, item.storedKey ?? keyOf(item));
  if (file === undefined || content === undefined)
    throw new Error(`“${name}” is not there any more.`);
  // The latest version is what this upload replaced only if the file has not been changed since.
  const { signal } = new AbortController();
  if (!(await isSameContent(files, file, content, signal))) {
    throw new Error(`“${name}” has changed since. Its details list its earlier versions.`);
  }
  const { versions } = await files.versions(file, { limit: 1 });
  const [latest] = versions;
  if (latest === undefined) throw new Error(`“${name}” has no earlier version.`);
  return files.restoreVersion(latest.id);
}
