import type { Holdall } from "../../../../sdk/src/holdall.ts";
import { type Group, relativeFolder } from "../group.ts";
import { type Item, joinKey } from "../item.ts";
import type { TransferOptions } from "./transfer-options.ts";

/** Adds small files of one folder to their batch, in one request. */
export async function sendToBatch(
  { batches }: Holdall,
  bundle: readonly Item[],
  group: Group,
  { signal, onProgress }: TransferOptions,
): Promise<void> {
  const [first] = bundle;
  const url = group.batches[first?.batch ?? 0];
  if (first === undefined || url === undefined) return;
  // An interrupted request may have been carried out, and the batch refuses a file that it has.
  const stored = bundle.some(({ mayBeStored }) => mayBeStored)
    ? batchPaths((await batches.show(url, { signal })).members)
    : new Set<string>();
  const missing = bundle.filter((item) => !stored.has(pathInBatch(item, group)));
  if (missing.length === 0) return;
  await batches.add(
    url,
    missing.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, content }])),
    {
      folder: relativeFolder(first, group),
      onProgress: ({ loaded }) => onProgress(loaded),
      signal,
    },
  );
}

/** The path of an item relative to the folder of its batch, as the server stores it. */
export const pathInBatch = (item: Item, group: Group): string =>
  joinKey(relativeFolder(item, group), item.name).normalize("NFC");

export const batchPaths = (
  members: readonly { readonly folder: string; readonly name: string }[],
): Set<string> => new Set(members.map(({ folder, name }) => joinKey(folder, name)));
