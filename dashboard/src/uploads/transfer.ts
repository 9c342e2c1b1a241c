import type { Holdall } from "../../../sdk/src/holdall.ts";
import { RESUMABLE_ABOVE, SMALL_BYTES } from "./bundle.ts";
import { findFile } from "./find-file.ts";
import type { Group } from "./group.ts";
import { type Item, keyOf } from "./item.ts";
import type { Ids } from "./queue.ts";
import { isSameContent } from "./same-content.ts";
import { sendLarge } from "./send-large.ts";
import { sendToBatch } from "./send-to-batch.ts";
import type { TransferOptions } from "./transfer-options.ts";

/** What has become of a bundle. All other items are stored. */
export interface Transferred {
  /** The items whose names were taken. */
  readonly taken: Ids;
  /** Something to say about the stored file. */
  readonly message?: string | undefined;
}

const NONE: Transferred = { taken: new Set() };

/** Uploads a bundle: a large file, or a form. */
export async function transfer(
  client: Holdall,
  bundle: readonly Item[],
  group: Group | undefined,
  options: TransferOptions,
): Promise<Transferred> {
  const [first] = bundle;
  if (first === undefined) return NONE;
  const isLarge = first.size > RESUMABLE_ABOVE || first.url !== undefined;
  if (group !== undefined) {
    if (isLarge) await sendLarge(client, first, group, options);
    else await sendToBatch(client, bundle, group, options);
    return NONE;
  }
  // Check the name of a large file first, so that it is not sent in vain.
  if (first.url === undefined && first.decision === "ask" && first.size > SMALL_BYTES) {
    const existing = await findFile(client, keyOf(first));
    if (existing !== undefined) {
      return { taken: await withoutOwnUploads(client, [first], options.signal) };
    }
  }
  if (!isLarge) return sendForm(client, bundle, first, options);
  const stored = await sendLarge(client, first, undefined, options);
  const name = stored?.key.slice(stored.key.lastIndexOf("/") + 1) ?? first.name;
  if (first.decision !== "ask" || name === first.name.normalize("NFC")) return NONE;
  return { ...NONE, message: `Stored as “${name}”, because the name was taken meanwhile` };
}

async function sendForm(
  client: Holdall,
  bundle: readonly Item[],
  { folder, decision }: Item,
  { signal, onProgress }: TransferOptions,
): Promise<Transferred> {
  const stored = await client.files.uploadMany(
    bundle.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, content }])),
    {
      folder,
      onConflict: decision === "ask" ? "skip" : decision,
      onProgress: ({ loaded }) => onProgress(loaded),
      signal,
    },
  );
  if (decision !== "ask") return NONE;
  const names = new Set(stored.map(({ name }) => name));
  const missing = bundle.filter(({ name }) => !names.has(name.normalize("NFC")));
  return { taken: await withoutOwnUploads(client, missing, signal) };
}

/** The items whose names are taken by something else than their own interrupted upload. */
async function withoutOwnUploads(
  client: Holdall,
  existing: readonly Item[],
  signal: AbortSignal,
): Promise<Ids> {
  const taken = new Set(existing.map(({ id }) => id));
  for (const item of existing) {
    if (!item.mayBeStored || item.content === undefined) continue;
    const stored = await findFile(client, keyOf(item), signal);
    if (stored === undefined) continue;
    if (await isSameContent(client.files, stored, item.content, signal)) taken.delete(item.id);
  }
  return taken;
}
