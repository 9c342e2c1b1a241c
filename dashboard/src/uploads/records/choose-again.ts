import { showErrorToast, showToast } from "../../components/toast-store.ts";
import { pickedFiles } from "../choosing/file-sources.ts";
import { openPicker } from "../choosing/open-picker.ts";
import type { Group } from "../group.ts";
import type { Item } from "../item.ts";
import { uploadClient, uploads } from "../uploads.ts";
import { continueGroup, continueItem, giveFiles, giveFolder } from "./give-again.ts";

/** Continues an interrupted file: reads it again if the browser can, otherwise lets the user choose it. */
export async function chooseFileAgain(item: Item): Promise<void> {
  if (await continueItem(uploads, item)) return;
  const files = await openPicker("files");
  const rest = giveFiles(
    uploads,
    files.map((content) => ({ folder: item.folder, name: content.name, content })),
  );
  if (rest.length === 0) return;
  const other = rest.map(({ name }) => `“${name}”`).join(", ");
  const reason = "The name, the size and the time of the last change have to be the same.";
  showErrorToast(new Error(`${other} is not an interrupted file. ${reason}`));
}

/** Asks the user to choose a folder again. */
export async function chooseFolderAgain(group: Group): Promise<void> {
  if (await continueGroup(uploads, uploadClient, group)) return;
  const { folders } = pickedFiles(await openPicker("folder"), group.folder);
  const [folder] = folders;
  if (folder === undefined) return showToast("The folder is empty.");
  if (folder.name.normalize("NFC") !== group.name.normalize("NFC")) {
    return showErrorToast(new Error(`“${folder.name}” is not the folder “${group.name}”.`));
  }
  giveFolder(uploads, uploadClient, group.id, await folder.read(() => {}));
}
