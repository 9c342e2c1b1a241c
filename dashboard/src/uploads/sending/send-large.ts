import type { Holdall, UploadedFile } from "../../../../sdk/src/holdall.ts";
import { type Group, relativeFolder } from "../group.ts";
import type { Item } from "../item.ts";
import type { TransferOptions } from "./transfer-options.ts";

const ATTEMPTS = 3;

/**
 * Sends a file to its upload URL, beginning where the server's bytes end, and creates that URL if there
 * is none. Tries again after a short interruption, or if the previous request has not ended yet; after a
 * longer one the queue decides.
 */
export async function sendLarge(
  client: Holdall,
  item: Item,
  group: Group | undefined,
  { visibility, expiresIn, signal, onProgress, onCreated }: TransferOptions,
): Promise<UploadedFile | undefined> {
  if (item.content === undefined) throw new TypeError("The item has no content.");
  const url = item.url ?? (await create(client, item, group, { visibility, expiresIn, signal }));
  if (item.url === undefined) onCreated(url);
  return client.uploads.send(url, item.content, {
    name: item.name,
    attempts: ATTEMPTS,
    onProgress: ({ loaded }) => onProgress(loaded),
    signal,
  });
}

async function create(
  client: Holdall,
  item: Item,
  group: Group | undefined,
  { visibility, expiresIn, signal }: Pick<TransferOptions, "visibility" | "expiresIn" | "signal">,
): Promise<string> {
  const { name, size, content, decision, batch = 0 } = item;
  const contentType = content?.type || undefined;
  const file = { name, size, contentType, signal };
  const batchUrl = group?.batches[batch];
  if (group !== undefined && batchUrl !== undefined) {
    const folder = relativeFolder(item, group);
    return (await client.batches.createUpload(batchUrl, { ...file, folder })).url;
  }
  // The name was free just now. If it is taken at the end, the bytes are not lost, and nothing is replaced.
  const onConflict = decision === "ask" ? "keepBoth" : decision;
  const target = { folder: item.folder, onConflict, visibility, fileExpiresIn: expiresIn };
  return (await client.uploads.create({ ...file, ...target })).url;
}
