import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { api, type Reachable, send } from "../test/client.ts";
import { digestOf, type Inventory, type InventoryFile } from "./inventory.ts";

const READ_CONCURRENCY = 8;

/** Everything that the server has, read through its API: every file is downloaded. */
export async function readInventory(server: Reachable): Promise<Inventory> {
  const a = api(server);
  const listed = await a.list();
  const files = new Map<string, InventoryFile>();
  await forEachConcurrently(
    listed,
    READ_CONCURRENCY,
    async ({ id, key, url, visibility, size }) => {
      files.set(key, { id, visibility, size, digest: await delivered(server, url) });
    },
  );
  if (files.size < listed.length) throw new Error("A key is listed twice.");
  return { files, folders: new Set(await foldersBelow(server, "")) };
}

async function delivered(server: Reachable, url: string): Promise<string> {
  try {
    const answer = await send(server, "GET", `/${url}`, { "API-Key": server.apiKey });
    return answer.status === 200 ? digestOf(answer.bytes) : `status ${answer.status}`;
  } catch (error) {
    return `cut: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function foldersBelow(server: Reachable, key: string): Promise<string[]> {
  const { folders } = await api(server).browse(key);
  const below: string[] = [];
  for (const folder of folders) below.push(folder.key, ...(await foldersBelow(server, folder.key)));
  return below;
}
