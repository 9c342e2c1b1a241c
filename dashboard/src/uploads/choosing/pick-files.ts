import { startUpload } from "../start-upload.ts";
import { pickedFiles } from "./file-sources.ts";
import { openPicker } from "./open-picker.ts";

/** Opens a file picker and uploads the files to the folder with this key. */
export async function pickFiles(folder: string): Promise<void> {
  const { showOpenFilePicker } = window;
  if (showOpenFilePicker === undefined) {
    return startUpload(pickedFiles(await openPicker("files"), folder));
  }
  // The browser finds files with handles again after a reload.
  const handles = await showOpenFilePicker({ multiple: true }).catch(() => []);
  const files = handles.map(async (handle) => {
    const content = await handle.getFile();
    return { folder, name: content.name, content, handle };
  });
  if (handles.length > 0) await startUpload({ folder, files: Promise.all(files), folders: [] });
}

/** Lets the user pick a whole folder. Browsers leave out empty subfolders. */
export async function pickFolder(folder: string): Promise<void> {
  await startUpload(pickedFiles(await openPicker("folder"), folder));
}
