import { LostBytes } from "../../domain/faults/fault.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import type { Growth } from "../growing-blob.ts";
import type { GrowthStart } from "../port.ts";
import { formatGrowth, type GrowthState, hashTags, parseGrowth } from "./growth-state.ts";
import {
  createObjectUpload,
  type EarlierUpload,
  type ObjectUploadDeps,
  type SentParts,
} from "./object-upload.ts";
import { sizeOfPart } from "./part-sizes.ts";
import { S3Error } from "./s3-error.ts";
import type { Multipart } from "./s3-multipart.ts";
import type { S3Objects } from "./s3-objects.ts";
import type { TagCache } from "./tag-cache.ts";

export interface S3GrowthDeps extends ObjectUploadDeps {
  readonly objects: S3Objects;
  readonly tagCache: TagCache;
}

const COPY_CONCURRENCY = 8;

/**
 * Opens a growing blob: a multipart upload that this or another process has started. Its rest is less than
 * a part. The object appears with `seal`.
 */
export async function openS3Growth(
  deps: S3GrowthDeps,
  { offset, growth }: GrowthStart,
): Promise<Growth> {
  const earlier = await findEarlier(deps, growth);
  const start = earlier.sent?.bytes ?? 0;
  if (start > offset) throw new Error(`${deps.key} has ${start} bytes, not ${offset}.`);
  const upload = createObjectUpload(deps, earlier);

  let uploadId = earlier.sent?.multipart.uploadId;

  function stateOf({ multipart, tags, bytes }: SentParts): string {
    uploadId = multipart.uploadId;
    deps.tagCache.set(uploadId, tags);
    return formatGrowth({ uploadId, parts: tags.length, bytes, tagHash: hashTags(tags) });
  }

  return {
    start,
    write: upload.write,
    async checkpoint() {
      const { sent, rest } = await upload.flush();
      const done = sent.then((all) => ({
        stored: all?.bytes ?? 0,
        growth: all === undefined ? null : stateOf(all),
        rest,
      }));
      return { done };
    },
    readRest: upload.readCurrent,
    seal() {
      // If it fails, S3 is asked which parts it has.
      if (uploadId !== undefined) deps.tagCache.delete(uploadId);
      return upload.complete();
    },
    stop: upload.stop,
    release: upload.release,
    remove: () =>
      upload.remove().then(
        () => true,
        () => false,
      ),
  };
}

async function findEarlier(deps: S3GrowthDeps, growth: string | null): Promise<EarlierUpload> {
  const beforeLast = (sent: SentParts, partCount: number) => withoutLater(deps, sent, partCount);
  if (growth === null) return { beforeLast, sent: undefined };
  const state = parseGrowth(growth);
  const multipart = deps.multiparts.resume({ key: deps.key, uploadId: state.uploadId });
  const tags = await findTags(deps, multipart, state);
  if (tags === undefined) return { beforeLast, sent: await fromObject(deps, state) };
  return { beforeLast, sent: { multipart, tags, bytes: state.bytes } };
}

/** The tags of the parts at the checkpoint; undefined: the upload was completed or aborted. */
async function findTags(
  { key, tagCache }: S3GrowthDeps,
  multipart: Multipart,
  state: GrowthState,
): Promise<readonly string[] | undefined> {
  // Without the cache, every request of a large upload would list thousands of parts.
  const cached = tagCache.get(state);
  const listed = await multipart.partsAfter(cached === undefined ? 0 : state.parts);
  if (listed === undefined || cached !== undefined) return listed && cached;
  const kept = listed.slice(0, state.parts);
  const bytes = kept.reduce((sum, { size }) => sum + size, 0);
  if (bytes !== state.bytes || kept.some(({ part }, index) => part !== index + 1)) {
    throw lostBytes(`${key} has ${kept.length} parts of ${bytes} bytes, not ${state.parts}.`);
  }
  const tags = kept.map(({ tag }) => tag);
  if (hashTags(tags) !== state.tagHash) throw lostBytes(`Parts of ${key} were replaced.`);
  return tags;
}

/** The process that sealed the blob has ended before its record was committed. */
async function fromObject(
  deps: S3GrowthDeps,
  { bytes, uploadId }: GrowthState,
): Promise<SentParts> {
  const size = await deps.objects.sizeOf(deps.key);
  if (size === undefined || size < bytes) {
    throw lostBytes(`The store has aborted the multipart upload ${uploadId} of ${deps.key}.`);
  }
  return copyStart(deps, bytes);
}

const lostBytes = (reason: string): LostBytes =>
  new LostBytes(
    "Bytes of this upload were lost in the storage. Upload the file again.",
    new Error(reason),
  );

/**
 * A part cannot be removed, and some stores complete an upload only with all its parts. So if parts are
 * left after the last one, completes the object with them and continues with a copy of its start.
 */
async function withoutLater(
  deps: S3GrowthDeps,
  sent: SentParts,
  partCount: number,
): Promise<SentParts> {
  const later = (await sent.multipart.partsAfter(sent.tags.length)) ?? [];
  if (!later.some(({ part }) => part > partCount)) return sent;
  const size = later.reduce((sum, part) => sum + part.size, sent.bytes);
  await sent.multipart.complete([...sent.tags, ...later.map(({ tag }) => tag)], size);
  return copyStart(deps, sent.bytes);
}

/** Begins an upload with the first bytes of the existing object, in parts of the regular sizes. */
async function copyStart(deps: S3GrowthDeps, bytes: number): Promise<SentParts> {
  const { key, multiparts } = deps;
  const { multipart } = await multiparts.start(key);
  const ranges = rangesOf(deps, bytes);
  const tags: string[] = new Array(ranges.length).fill("");
  try {
    await forEachConcurrently(ranges, COPY_CONCURRENCY, async ({ part, start, end }) => {
      tags[part - 1] = await multipart.copy(part, key, { start, end });
    });
  } catch (error) {
    await multiparts.abort({ key, uploadId: multipart.uploadId }).catch(() => {});
    throw error;
  }
  return { multipart, tags, bytes };
}

function rangesOf({ sizes, key }: S3GrowthDeps, bytes: number) {
  const ranges: { part: number; start: number; end: number }[] = [];
  for (let start = 0, part = 1; start < bytes; part += 1) {
    const end = start + sizeOfPart(sizes, part);
    if (end > bytes) throw new S3Error(500, "", `${key}: ${bytes} bytes are not whole parts`);
    ranges.push({ part, start, end });
    start = end;
  }
  return ranges;
}
