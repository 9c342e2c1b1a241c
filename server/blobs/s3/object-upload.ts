import { Fault } from "../../domain/faults/fault.ts";
import type { TakeChunk } from "../port.ts";
import { createParts, type Part } from "./part.ts";
import { type PartSizes, sizeOfPart } from "./part-sizes.ts";
import type { S3Client } from "./s3-client.ts";
import type { Multipart, Multiparts } from "./s3-multipart.ts";
import type { Staging } from "./staging.ts";

export interface ObjectUploadDeps {
  readonly client: S3Client;
  readonly multiparts: Multiparts;
  readonly staging: Staging;
  readonly sizes: PartSizes;
  readonly key: string;
  /** Rejects if the key is taken. Awaited before anything is sent. */
  readonly reservation: Promise<void>;
  /** Ids of the multipart uploads in progress, which `flushBlock` must not abort. */
  readonly activeUploads: Set<string>;
}

/** An upload that is continued. */
export interface EarlierUpload {
  /** undefined: S3 has no parts yet. */
  readonly sent: SentParts | undefined;
  /**
   * Called before the last part is sent, with the number of parts that the object will have. Returns
   * what to continue with instead of the parts sent so far.
   */
  beforeLast(sent: SentParts, partCount: number): Promise<SentParts>;
}

/** The first parts of a multipart upload, which S3 has acknowledged. */
export interface SentParts {
  readonly multipart: Multipart;
  readonly tags: readonly string[];
  readonly bytes: number;
}

/** Sends an object. One call at a time, except where noted. */
export interface ObjectUpload {
  /** The caller may reuse the chunk once this resolves. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Sends the current part if it is full. `sent` resolves once S3 has acknowledged all parts sent so far;
   * undefined: there are none. `rest` is the number of bytes after them. Other calls may run meanwhile.
   */
  flush(): Promise<{ readonly sent: Promise<SentParts | undefined>; readonly rest: number }>;
  /** Passes the bytes of the current part to `take`. */
  readCurrent(take: TakeChunk): Promise<void>;
  /** Sends the last part; then the object exists. A small one is sent with one PUT. */
  complete(): Promise<void>;
  /** Aborts the requests in progress. May be called at any time. */
  stop(): void;
  /** Releases the local files. */
  release(): Promise<void>;
  /** Removes the object and its multipart uploads. Call `release` first. Throws S3Error. */
  remove(attempts?: number): Promise<void>;
}

/**
 * Sends an object larger than a part as a multipart upload: while one part is sent, the next is
 * received. Large parts are buffered in the staging folder, not in memory.
 */
export function createObjectUpload(parts: ObjectUploadDeps, earlier?: EarlierUpload): ObjectUpload {
  const { client, multiparts, sizes, key, activeUploads } = parts;
  const buffers = createParts(parts.staging, Math.max(sizes.regular, sizes.large));
  const stop = new AbortController();
  let upload: Multipart | undefined;
  let tags: Promise<string>[] = [];
  let total = 0;
  // Uploads of this key that nobody will continue: their processes ended, or their ids were lost.
  let mayHaveOrphans = earlier !== undefined;
  let mayExist = earlier !== undefined;
  let half: 0 | 1 = 0;
  let current: Part = buffers.next(half);
  if (earlier?.sent !== undefined) use(earlier.sent);

  function use(sent: SentParts): void {
    if (upload !== undefined) activeUploads.delete(upload.uploadId);
    upload = sent.multipart;
    activeUploads.add(upload.uploadId);
    tags = sent.tags.map((tag) => Promise.resolve(tag));
    total = sent.bytes + current.length;
  }

  const spaceLeft = (): number => sizeOfPart(sizes, tags.length + 1) - current.length;

  async function start(): Promise<Multipart> {
    await parts.reservation;
    const hadOrphans = mayHaveOrphans;
    mayHaveOrphans = true;
    const { multipart, mayHaveOrphan } = await multiparts.start(key);
    activeUploads.add(multipart.uploadId);
    mayHaveOrphans = hadOrphans || mayHaveOrphan;
    return multipart;
  }

  /** Starts sending the current part once the previous part has been sent. */
  async function sendPart(): Promise<void> {
    if (tags.length === sizes.maxCount) {
      throw new Fault("too_large", "The file is larger than this storage accepts.");
    }
    upload ??= await start();
    await tags.at(-1);
    const tag = upload.put(tags.length + 1, current.body(), stop.signal);
    tag.catch(() => {});
    tags.push(tag);
    half = half === 0 ? 1 : 0;
    current = buffers.next(half);
  }

  function sentSoFar(): Promise<SentParts | undefined> {
    if (upload === undefined) return Promise.resolve(undefined);
    const multipart = upload;
    const bytes = total - current.length;
    return Promise.all(tags).then((all) => ({ multipart, tags: all, bytes }));
  }

  /** Without those that are newer than `kept`: if another process has taken over, they are its own. */
  async function abortOrphans(kept: Multipart | undefined, attempts?: number): Promise<void> {
    const all = await Array.fromAsync(multiparts.unfinished(key));
    const found = all.filter((upload) => upload.key === key);
    const own = found.find(({ uploadId }) => uploadId === kept?.uploadId);
    for (const upload of found) {
      const isNewer = own !== undefined && upload.startedAt > own.startedAt;
      if (upload !== own && !isNewer) await multiparts.abort(upload, attempts);
    }
  }

  async function abortUploads(attempts: number | undefined): Promise<void> {
    if (mayHaveOrphans) await abortOrphans(undefined, attempts);
    else if (upload !== undefined)
      await multiparts.abort({ key, uploadId: upload.uploadId }, attempts);
  }

  async function putWhole(): Promise<void> {
    await client.send({ method: "PUT", key, body: current.body(), signal: stop.signal });
  }

  async function completeUpload(sent: SentParts): Promise<void> {
    if (earlier !== undefined) {
      use(await earlier.beforeLast(sent, tags.length + (current.length > 0 ? 1 : 0)));
    }
    if (current.length > 0) await sendPart();
    await upload?.complete(await Promise.all(tags), total);
  }

  return {
    async write(chunk) {
      for (let done = 0; done < chunk.byteLength; ) {
        if (spaceLeft() === 0) await sendPart();
        const piece = chunk.subarray(done, done + spaceLeft());
        await current.add(piece);
        done += piece.byteLength;
        total += piece.byteLength;
      }
    },

    async flush() {
      if (spaceLeft() === 0) await sendPart();
      return { sent: sentSoFar(), rest: current.length };
    },

    readCurrent: (take) => current.read(take),

    async complete() {
      await parts.reservation;
      // Once the object is complete, nothing would abort them.
      if (mayHaveOrphans) await abortOrphans(upload);
      const sent = await sentSoFar();
      mayExist = true;
      if (sent === undefined) await putWhole();
      else await completeUpload(sent);
    },

    stop: () => stop.abort(),

    async release() {
      stop.abort();
      await Promise.allSettled(tags);
      if (upload !== undefined) activeUploads.delete(upload.uploadId);
      await buffers.close();
    },

    async remove(attempts) {
      const limit = attempts === undefined ? {} : { attempts };
      await Promise.all([
        abortUploads(attempts),
        ...(mayExist ? [client.send({ method: "DELETE", key, ...limit })] : []),
      ]);
    },
  };
}
