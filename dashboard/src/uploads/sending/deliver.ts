import { showErrorToast } from "../../components/toast-store.ts";
import type { Delivery, FolderToRead } from "../choosing/file-sources.ts";
import { continueFiles } from "../continue.ts";
import { restored } from "../left-over.ts";
import { giveFolder } from "../records/give-again.ts";
import { uploadClient, uploads } from "../uploads.ts";

/** The number of files found is shown in steps, because drawing it takes time. */
const FOUND_STEP = 100;

/** Uploads what the user has dropped, picked or pasted, or continues interrupted uploads with it. */
export async function deliver({ folder, files, folders }: Delivery): Promise<void> {
  await restored();
  await Promise.all([
    files.then((sources) => {
      // Also starts those that continue.
      if (sources.length > 0) uploads.add(continueFiles(uploads.work, sources, false));
    }),
    ...folders.map((each) => deliverFolder(folder, each)),
  ]);
}

async function deliverFolder(folder: string, { name, handle, read }: FolderToRead): Promise<void> {
  const { work } = uploads;
  const id = uploads.beginFolder({ folder, name, handle: await handle });
  try {
    let shown = 0;
    const sources = await read((found) => {
      if (found < shown + FOUND_STEP) return;
      shown = found;
      work.changeGroup(id, { found });
      work.publish();
    });
    const earlier = work.groups.find(
      (group) => group.state === "interrupted" && group.folder === folder && group.name === name,
    );
    if (earlier === undefined) return uploads.startFolder(id, sources);
    uploads.discard({ group: id });
    giveFolder(uploads, uploadClient, earlier.id, sources);
  } catch (error) {
    uploads.discard({ group: id });
    showErrorToast(error);
  }
}
