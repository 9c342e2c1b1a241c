import type { Holdall, UploadedFile } from "../../../../sdk/src/holdall.ts";
import type { Group } from "../group.ts";
import { type Item, keyOf } from "../item.ts";
import type { Ids, Outcome } from "../queue.ts";
import { findFile } from "../records/find-file.ts";
import { isSameContent } from "../records/same-content.ts";
import { RESUMABLE_ABOVE, SMALL_BYTES } from "./bundle.ts";
import { sendLarge } from "./send-large.ts";
import { sendToBatch } from "./send-to-batch.ts";
import type { TransferOptions } from "./transfer-options.ts";

const NONE: Outcome = { taken: new Set() };

/** Uploads a bundle: a large file, or a form. */
export async function transfer(
  client: Holdall,
  bundle: readonly Item[],
  group: Group | undefined,
  options: TransferOptions,
): Promise<Outcome> {
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
  const replacedAt = await replacementTime(client, first, stored, options.signal);
  const outcome = { ...NONE, replacedAt };
  if (stored === undefined || name === first.name.normalize("NFC")) return outcome;
  const renamed = { ...outcome, keys: new Map([[first.id, stored.key]]) };
  if (first.decision !== "ask") return renamed;
  return { ...renamed, message: `Stored as “${name}”, because the name was taken meanwhile` };
}

async function sendForm(
  client: Holdall,
  bundle: readonly Item[],
  { folder, decision }: Item,
  { visibility, expiresIn, signal, onProgress }: TransferOptions,
): Promise<Outcome> {
  const stored = await client.files.uploadMany(
    bundle.flatMap(({ name, content }) => (content === undefined ? [] : [{ name, content }])),
    {
      folder,
      onConflict: decision === "ask" ? "skip" : decision,
      visibility,
      expiresIn,
      onProgress: ({ loaded }) => onProgress(loaded),
      signal,
    },
  );
  if (decision !== "ask") {
    const files = bundle.flatMap(({ id }, index) => {
      const file = stored[index];
      return file === undefined ? [] : [[id, file] as const];
    });
    const keys = new Map(files.map(([id, { key }]) => [id, key]));
    if (decision !== "replace") return { ...NONE, keys };
    return { ...NONE, keys, replacedAt: new Map(files.map(([id, file]) => [id, file.updatedAt])) };
  }
  const names = new Set(stored.map(({ name }) => name));
  const missing = bundle.filter(({ name }) => !names.has(name.normalize("NFC")));
  return { taken: await withoutOwnUploads(client, missing, signal) };
}

/** The response to an upload URL does not have the time. Without it, the replacement cannot be undone. */
async function replacementTime(
  { files }: Holdall,
  { id, decision }: Item,
  stored: UploadedFile | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string> | undefined> {
  if (stored === undefined || decision !== "replace") return undefined;
  try {
    const { updatedAt } = await files.get(stored.id, { signal });
    return new Map([[id, updatedAt]]);
  } catch {
    // The file is stored.
    return undefined;
  }
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
