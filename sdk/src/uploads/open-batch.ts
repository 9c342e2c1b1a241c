import type { BatchMember, BatchObject, BatchUpload } from "../../../contract/api.ts";
import { unless } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import { hexOf } from "../files/sha256-of.ts";
import { requireSliced } from "../files/sliced-source.ts";
import { type AttemptOptions, withAttempts } from "./attempts.ts";
import type { Batches, CreateBatchOptions } from "./batches.ts";
import { type FolderItem, itemPath } from "./folder-items.ts";
import { isLarge, type LargeOptions } from "./is-large.ts";
import type { ResumeEntry, ResumeNote } from "./resume-store.ts";

/** A batch for the files of a folder, and the paths of those that it has already. */
export interface OpenBatch {
  readonly url: string;
  readonly stored: ReadonlySet<string>;
  /** Set if an earlier call has committed these files. */
  readonly committed: BatchObject | undefined;
}

/**
 * Continues the noted batch if everything in it is as it is in the folder now; otherwise drops it and
 * creates another one.
 */
export async function openBatch(
  batches: Batches,
  items: readonly FolderItem[],
  entry: ResumeEntry | undefined,
  target: CreateBatchOptions,
  options: AttemptOptions & LargeOptions,
): Promise<OpenBatch> {
  const note = await entry?.read();
  const noted =
    note && (await withAttempts(options, () => continueBatch(batches, items, note, options)));
  if (noted) return noted;
  const at = Date.now();
  const { signal } = options;
  const { url } = await withAttempts(options, () => batches.create({ ...target, signal }));
  await entry?.write({ url, at });
  return { url, stored: new Set(), committed: undefined };
}

async function continueBatch(
  batches: Batches,
  items: readonly FolderItem[],
  { url, at }: ResumeNote,
  options: CallOptions & LargeOptions,
): Promise<OpenBatch | undefined> {
  const { signal } = options;
  try {
    const { batch, members, uploads } = await batches.show(url, { signal });
    if (batch.state === "committed") {
      const isSame = batch.files === items.length && items.every((item) => isOlder(item, at));
      return isSame ? { url, stored: new Set(), committed: batch } : undefined;
    }
    const canComplete = areSentAgain(uploads, items, options);
    if (canComplete && (await areUnchanged(members, items, at))) {
      return { url, stored: new Set(members.map(itemPath)), committed: undefined };
    }
    await batches.drop(url, { signal });
  } catch (error) {
    unless(404, 410)(error);
  }
  return undefined;
}

/**
 * Whether each open upload is of a file that is still sent as an upload. Any other would stay open, and
 * the batch could not be committed.
 */
function areSentAgain(
  uploads: readonly BatchUpload[],
  items: readonly FolderItem[],
  options: LargeOptions,
): boolean {
  const large = new Set(items.filter((item) => isLarge(item, options)).map(itemPath));
  return uploads.every(({ folder, name }) => name && large.has(itemPath({ folder, name })));
}

async function areUnchanged(
  members: readonly BatchMember[],
  items: readonly FolderItem[],
  at: number,
): Promise<boolean> {
  const byPath = new Map(items.map((item) => [itemPath(item), item]));
  for (const member of members) {
    const item = byPath.get(itemPath(member));
    if (!item || item.size !== member.size) return false;
    if (!isOlder(item, at) && !(await hasDigest(item, member.sha256))) return false;
  }
  return true;
}

const isOlder = ({ modified }: FolderItem, at: number): boolean =>
  modified !== undefined && Math.floor(modified) <= at;

/** Larger contents are not compared, because they would have to be in memory. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

async function hasDigest(item: FolderItem, sha256: string | null): Promise<boolean> {
  // Pages without https have no `subtle`.
  const { subtle } = crypto as Partial<Crypto>;
  if (!sha256 || !subtle || item.size > MAX_HASHED_BYTES) return false;
  const source = await requireSliced(item.content);
  const bytes = await new Response(source.slice(0, source.size)).arrayBuffer();
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return sha256 === hexOf(digest);
}
