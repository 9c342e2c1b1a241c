import { crc32 } from "node:zlib";
import { S3Error } from "../../blobs/s3/s3-error.ts";
import { AUTHORIZED_COMMAND } from "../../domain/callers/authorize.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { joinKey, keyNames, rejectC1 } from "../../domain/names/name.ts";
import type { FileRecord, Key, Name, Visibility } from "../../domain/records.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import type { ObjectService } from "../../objects/object-service.ts";
import { sleep } from "../../runtime/sleep.ts";
import { wholeSeconds } from "../../semantics/etag.ts";
import { objectEtag } from "../../semantics/s3/object-etag.ts";
import { objectKeyOf, parseObjectKey } from "../../semantics/s3/object-key.ts";
import type { Count } from "../copy-blobs.ts";
import { createPlannedKeys } from "../planned-keys.ts";
import type { OnProblem, Progress } from "../progress.ts";
import { carryTags, isArchived, readCarried } from "./carried.ts";
import {
  ContentMismatch,
  createContentCheck,
  isEncryptedOtherwise,
  PartsMismatch,
  partCountOf,
} from "./content-check.ts";
import { type ListedObject, type SourceBucket, SourceChanged } from "./source-bucket.ts";

/** The stored objects, by their whole keys. */
export interface Destination extends Pick<ObjectService, "store" | "put" | "putFolder"> {
  file(key: Key): Promise<FileRecord | undefined>;
  hasFolder(key: Key): Promise<boolean>;
}

export interface BucketImportDeps {
  readonly source: SourceBucket;
  readonly destination: Destination;
  /** Only keys that begin with it. */
  readonly prefix: string;
  /** Exists, and is not the root folder. */
  readonly folder: Key;
  /** The visibility of all objects; undefined: that of each object at the source. */
  readonly visibility: Visibility | undefined;
  /** Reads the headers of objects and stores nothing. */
  readonly isDryRun: boolean;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface BucketImported {
  readonly imported: Count;
  /** How many of `imported` replaced an older content. */
  readonly replaced: number;
  readonly existing: Count;
  /** Changed or removed at the source while they were read. */
  readonly changed: number;
  /** Without a digest that could be compared. */
  readonly unchecked: number;
  readonly conflicts: number;
  readonly skipped: number;
  /** Objects that are imported, but not with all that they have. */
  readonly incomplete: number;
}

const CONCURRENCY = 8;
/** Long enough for a busy catalog and for a server that starts or stops. */
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 500;
/** Times that an object is read again because it has changed. */
const MAX_CHANGES = 3;
/** Supabase Storage stores it in folders without other objects. */
const EMPTY_FOLDER = ".emptyFolderPlaceholder";

/**
 * Stores the objects of a bucket with what they have. An object that is stored already is not read, so a run
 * that ends early is continued by another one. A stored object is replaced if that of the source is newer.
 * Faults "no_space" and "unavailable"; S3Error: the source does not reply.
 */
export async function importBucket(deps: BucketImportDeps): Promise<BucketImported> {
  const { source, destination, folder, progress, isDryRun } = deps;
  const imported: Count = { files: 0, bytes: 0 };
  const existing: Count = { files: 0, bytes: 0 };
  /** An import that stores them finds them in its destination. */
  const planned = isDryRun ? createPlannedKeys() : undefined;
  const counts = { replaced: 0, changed: 0, unchecked: 0, conflicts: 0, skipped: 0, incomplete: 0 };

  function skip(key: string, problem: string): void {
    counts.skipped += 1;
    deps.onProblem(key, problem);
  }

  function conflict(key: string, problem: string): void {
    counts.conflicts += 1;
    deps.onProblem(key, problem);
  }

  function lose(key: string, losses: readonly string[]): void {
    if (losses.length > 0) counts.incomplete += 1;
    for (const loss of losses) deps.onProblem(key, loss);
  }

  function count(to: Count, size: number): void {
    to.files += 1;
    to.bytes += size;
    progress.files += 1;
  }

  async function importObject(listed: ListedObject): Promise<void> {
    let place: Place;
    try {
      place = placeOf(folder, listed.key);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return skip(listed.key, endOfSentence(error.message));
    }
    try {
      if (place.isFolder) await importFolder(listed, place.key);
      else await importFile(listed, place.key);
    } catch (error) {
      if (error instanceof SourceChanged) {
        counts.changed += 1;
        return skip(listed.key, "it changed each time it was read");
      }
      if (error instanceof ContentMismatch) return skip(listed.key, error.message);
      if (error instanceof S3Error) {
        // An object that cannot be read does not keep the others from being imported.
        if (isOfObject(error) || (await source.isAlive())) return skip(listed.key, error.message);
        throw error;
      }
      if (error instanceof Fault && isOfKey(error)) {
        return conflict(listed.key, endOfSentence(error.message));
      }
      throw error;
    }
  }

  async function importFolder(listed: ListedObject, key: Key): Promise<void> {
    if (listed.size > 0) {
      return skip(listed.key, "a key that ends with `/` is a folder, and has no bytes");
    }
    const problem = planned?.addFolder(key);
    if (problem !== undefined) return conflict(listed.key, problem);
    if (!isDryRun) await whenPossible(() => destination.putFolder(AUTHORIZED_COMMAND, key));
    count(imported, 0);
  }

  async function importFile(first: ListedObject, key: Key): Promise<void> {
    const problem = planned?.addFile(key);
    if (problem !== undefined) return conflict(first.key, problem);
    let listed = first;
    for (let changes = 0; ; changes += 1) {
      try {
        return await importContent(listed, key);
      } catch (error) {
        if (!(error instanceof SourceChanged) || changes === MAX_CHANGES) throw error;
      }
      const now = await source.find(listed.key);
      if (changes === 0) counts.changed += 1;
      // Removed meanwhile: there is nothing to import.
      if (now === undefined) return;
      listed = now.object;
    }
  }

  async function importContent(listed: ListedObject, key: Key): Promise<void> {
    const found = await whenPossible(() => destination.file(key));
    if (found === undefined) {
      if (await destination.hasFolder(key)) {
        return conflict(listed.key, "a folder with this name already exists");
      }
    } else if (found.size === listed.size && objectEtag(found) === listed.etag) {
      progress.bytes += found.size;
      return count(existing, found.size);
    } else if (wholeSeconds(listed.modifiedAt) < wholeSeconds(found.modifiedAt)) {
      if (!isDryRun && (await hasSameContent(listed, found))) return count(existing, found.size);
      return conflict(listed.key, "a newer file with different content already exists");
    }
    if (!isDryRun) await storeWithParts(listed, key, found);
    else {
      if (found === undefined) keyNames(key).forEach(rejectC1);
      await examine(listed);
    }
    if (found !== undefined) counts.replaced += 1;
    count(imported, listed.size);
  }

  /** Reports what would be lost. S3Error: the object could not be read. */
  async function examine(listed: ListedObject): Promise<void> {
    const now = await source.find(listed.key);
    if (now === undefined) return;
    if (isArchived(now.headers)) {
      throw new S3Error(403, "InvalidObjectState", "it is in an archive: restore it first");
    }
    const carried = readCarried(lastName(listed.key), now.headers);
    const { tags, access } = await readBesides(listed.key, now.headers);
    lose(listed.key, [...carried.losses, ...tags.losses, ...access.losses]);
  }

  /** An object's tags and who may read it: the source has requests of their own for both. */
  async function readBesides(key: string, headers: Headers) {
    const tags = carryTags(await source.tags(key, headers));
    const access =
      deps.visibility === undefined
        ? await source.access(key)
        : { isPublic: deps.visibility === "public", losses: [] };
    return { tags, access };
  }

  async function storeWithParts(
    listed: ListedObject,
    key: Key,
    found: FileRecord | undefined,
  ): Promise<void> {
    let likely: readonly number[] | undefined;
    try {
      await store(listed, key, found, async (object, count) => {
        likely = await source.likelyPartSizes(object, count);
        return likely;
      });
    } catch (error) {
      if (!(error instanceof PartsMismatch)) throw error;
      // The parts in the middle may have other sizes than the first one, and the same sum.
      const sizes = await source.partSizes(listed, partCountOf(listed.etag) ?? 0);
      // Without others, the object is damaged.
      if (sizes === undefined || sizes.every((size, at) => size === likely?.[at])) throw error;
      await store(listed, key, found, async () => sizes);
    }
  }

  async function store(
    listed: ListedObject,
    key: Key,
    found: FileRecord | undefined,
    sizesOf: SourceBucket["partSizes"],
  ): Promise<void> {
    const stored = await whenPossible(async () => {
      const { headers, chunks, close } = await source.open(listed);
      try {
        const hasMd5Etag = source.hasMd5Etags && !isEncryptedOtherwise(headers);
        const parts = hasMd5Etag ? partCountOf(listed.etag) : undefined;
        const partSizes = parts === undefined ? undefined : await sizesOf(listed, parts);
        const carried = readCarried(lastName(listed.key), headers);
        const { tags, access } = await readBesides(listed.key, headers);
        const check = createContentCheck({
          size: listed.size,
          etag: listed.etag,
          hasMd5Etag,
          partSizes,
          headers,
        });
        let result: ReturnType<typeof check.finish> | undefined;
        async function* checked(): AsyncGenerator<Uint8Array, void, void> {
          for await (const chunk of chunks) {
            check.update(chunk);
            progress.bytes += chunk.length;
            yield chunk;
          }
          result = check.finish();
        }
        const { mimeType, charset, metadata, storageClass, contentType } = carried;
        const expect = found === undefined ? ("absent" as const) : { etag: objectEtag(found) };
        const content = { key, length: listed.size, body: checked(), expect };
        const blob = await destination.store(AUTHORIZED_COMMAND, content);
        await destination.put(AUTHORIZED_COMMAND, {
          key,
          mimeType,
          charset,
          metadata,
          visibility: access.isPublic ? "public" : "private",
          expect,
          blob,
          attributes: {
            ...(result?.attributes ?? { etag: listed.etag }),
            ...(storageClass === undefined ? {} : { storageClass }),
            ...(tags.tags.length === 0 ? {} : { tags: tags.tags }),
            ...(contentType === undefined ? {} : { contentType }),
          },
        });
        return {
          isChecked: result?.isChecked === true,
          losses: [...carried.losses, ...tags.losses, ...access.losses],
        };
      } finally {
        await close();
      }
    });
    if (!stored.isChecked) counts.unchecked += 1;
    lose(listed.key, stored.losses);
  }

  /** Reads the source: ETags may be of different kinds for the same content. */
  async function hasSameContent(listed: ListedObject, found: FileRecord): Promise<boolean> {
    if (listed.size !== found.size) return false;
    const { chunks, close } = await source.open(listed);
    try {
      let sum = 0;
      for await (const chunk of chunks) {
        sum = crc32(chunk, sum);
        progress.bytes += chunk.length;
      }
      return sum === found.checksum;
    } finally {
      await close();
    }
  }

  await forEachConcurrently(source.list(deps.prefix), CONCURRENCY, importObject);
  return { imported, existing, ...counts };
}

interface Place {
  readonly key: Key;
  readonly isFolder: boolean;
}

/** Faults: no file can have this key. */
function placeOf(folder: Key, objectKey: string): Place {
  const placeholder = `/${EMPTY_FOLDER}`;
  const key = objectKey.endsWith(placeholder)
    ? objectKey.slice(0, -EMPTY_FOLDER.length)
    : objectKey;
  const place = parseObjectKey("bucket" as Name, key);
  const names = keyNames(objectKeyOf(place.key) as Key);
  return { key: joinKey([...keyNames(folder), ...names]), isFolder: place.isFolder };
}

const lastName = (objectKey: string): string => objectKey.slice(objectKey.lastIndexOf("/") + 1);

/** A message without its full stop. */
const endOfSentence = (message: string): string => message.replace(/\.$/, "");

/** Whether the source refuses this object, and not every request. */
const isOfObject = ({ status }: S3Error): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);

/** Whether something is in the way of this key alone. */
const isOfKey = ({ kind }: Fault): boolean =>
  ["conflict", "invalid", "precondition_failed", "too_large"].includes(kind);

/** Waits while the catalog is busy. */
async function whenPossible<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Fault && error.kind === "unavailable";
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
