import { api, type Reachable } from "../../test/client.ts";
import { expectData } from "../../test/expectations.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { browseData } from "../../test/shapes.ts";
import { digestOf, type Inventory, type InventoryFile } from "../inventory.ts";

/** For how long a server may answer 503 after its stores have come back. */
const BUSY_MS = 30_000;

/**
 * Everything that a server has in a folder and below, with every file downloaded. Throws if any
 * request fails for good, since a file that cannot be read now may still exist.
 */
export async function readFolderInventory(server: Reachable, key: string): Promise<Inventory> {
  const files = new Map<string, InventoryFile>();
  const folders = new Set<string>();
  const get = async (path: string): Promise<HttpResponse> => {
    const until = performance.now() + BUSY_MS;
    for (;;) {
      const answer = await api(server).get(path);
      if (answer.status !== 503 || performance.now() > until) return answer;
      await Bun.sleep(500);
    }
  };
  const readFolder = async (folder: string): Promise<void> => {
    const answer = await get(`/api/folders?key=${encodeURIComponent(folder)}`);
    // The folder does not exist yet.
    if (answer.status === 404 && folder === key) return;
    const here = expectData(answer, browseData);
    folders.add(folder);
    for (const file of here.files) {
      const bytes = await get(`/${file.url}`);
      if (bytes.status !== 200) throw new Error(`${file.key}: ${bytes.status} ${bytes.text}`);
      const { id, visibility, size } = file;
      files.set(file.key, { id, visibility, size, digest: digestOf(bytes.bytes) });
    }
    for (const child of here.folders) await readFolder(child.key);
  };
  await readFolder(key);
  return { files, folders };
}
