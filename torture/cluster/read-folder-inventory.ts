import { api, type Reachable } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import { browseAnswer } from "../../test/shapes.ts";
import { digestOf, type Inventory, type InventoryFile } from "../inventory.ts";

/**
 * What a server holds in one folder and all below it, every file read whole. Throws when it does not
 * answer to any of that: what cannot be read now tells nothing of what is there.
 */
export async function readFolderInventory(server: Reachable, key: string): Promise<Inventory> {
  const files = new Map<string, InventoryFile>();
  const folders = new Set<string>();
  const look = async (folder: string): Promise<void> => {
    const answer = await api(server).get(`/api/folders?key=${encodeURIComponent(folder)}`);
    // Nobody has made it yet.
    if (answer.status === 404 && folder === key) return;
    const here = expectData(answer, browseAnswer);
    folders.add(folder);
    for (const file of here.files) {
      const bytes = await api(server).get(`/${file.url}`);
      if (bytes.status !== 200) throw new Error(`${file.key}: ${bytes.status} ${bytes.text}`);
      const { id, visibility, size } = file;
      files.set(file.key, { id, visibility, size, digest: digestOf(bytes.bytes) });
    }
    for (const below of here.folders) await look(below.key);
  };
  await look(key);
  return { files, folders };
}
