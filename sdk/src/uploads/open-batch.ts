import type { BatchMember, BatchObject, BatchUpload } from "../../../contract/api.ts";
import { isStatus } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import { hexOf } from "../files/sha256-of.ts";
import { type AttemptOptions, withAttempts } from "./attempts.ts";
import type { Batches, CreateBatchOptions } from "./batches.ts";
import { type FolderItem, itemPath } from "./folder-items.ts";
import { isLarge, type LargeOptions } from "./is-large.ts";
import type { ResumeEntry, ResumeNote } from "./resume-store.ts";
import { slicedSource } from "./sliced-source.ts";

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
  target: CreateBatchOptions & AttemptOptions & LargeOptions,
): Promise<OpenBatch> {
  const { attempts, signal, resumableAbove, ...options } = target;
  const note = await entry?.read();
  const noted =
    note === undefined
      ? undefined
      : await withAttempts({ attempts, signal }, () =>
          continueBatch(batches, items, note, { signal, resumableAbove }),
        );
  if (noted !== undefined) return noted;
  const at = Date.now();
  const { url } = await withAttempts({ attempts, signal }, () =>
    batches.create({ ...options, signal }),
  );
  await entry?.write({ url, at });
  return { url, stored: new Set(), committed: undefined };
}

async function continueBatch(
  batches: Batches,
  items: readonly FolderItem[],
  { url, at }: ResumeNote,
  { signal, resumableAbove }: CallOptions & LargeOptions,
): Promise<OpenBatch | undefined> {
  try {
    const { batch, members, uploads } = await batches.show(url, { signal });
    if (batch.state === "committed") {
      const isSame = batch.files === items.length && items.every((item) => isOlder(item, at));
      return isSame ? { url, stored: new Set(), committed: batch } : undefined;
    }
    const canComplete = areSentAgain(uploads, items, { resumableAbove });
    if (canComplete && (await areUnchanged(members, items, at))) {
      return { url, stored: new Set(members.map(itemPath)), committed: undefined };
    }
    await batches.drop(url, { signal });
  } catch (error) {
    if (!isStatus(error, 404, 410)) {
      throw error;
    }
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
  return uploads.every(
    ({ folder, name }) => name !== null && large.has(itemPath({ folder, name })),
  );
}

async function areUnchanged(
  members: readonly BatchMember[],
  items: readonly FolderItem[],
  at: number,
): Promise<boolean> {
  const byPath = new Map(items.map((item) => [itemPath(item), item]));
  for (const member of members) {
    const item = byPath.get(itemPath(member));
    if (item === undefined || item.size !== member.size) return false;
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
  if (sha256 === null || subtle === undefined || item.size > MAX_HASHED_BYTES) return false;
  const source = await slicedSource(item.content);
  if (source === undefined) return false;
  const bytes = await new Response(source.slice(0, source.size)).arrayBuffer();
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return sha256 === hexOf(digest);
}
