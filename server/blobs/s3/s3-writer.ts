import { Fault } from "../../rules/fault.ts";
import type { BlobWriter } from "../port.ts";
import { createParts, type Part } from "./part.ts";
import type { S3Client } from "./s3-client.ts";
import type { Multipart, Multiparts } from "./s3-multipart.ts";
import type { Staging } from "./staging.ts";

/** Part sizes of multipart uploads. S3 allows 10,000 parts, of at least 5 MiB except for the last. */
export interface PartSizes {
  readonly regular: number;
  /** Parts of the regular size come first: some stores require equal sizes. */
  readonly regularCount: number;
  /** The size of the parts after those, up to `maxCount` parts in all. */
  readonly large: number;
  readonly maxCount: number;
}

/** 40 GiB in regular parts, at most 352 GiB. */
export const PART_SIZES: PartSizes = {
  regular: 8 * 1024 ** 2,
  regularCount: 5000,
  large: 64 * 1024 ** 2,
  maxCount: 10_000,
};

export interface S3WriterParts {
  readonly client: S3Client;
  readonly multiparts: Multiparts;
  readonly staging: Staging;
  readonly sizes: PartSizes;
  readonly key: string;
  /** Rejects if the key is taken. The writer awaits it before it sends anything. */
  readonly reservation: Promise<void>;
  /** Ids of the multipart uploads in progress, which `flushBlock` must not abort. */
  readonly activeUploads: Set<string>;
  /** Translates S3 errors. */
  readonly faultOf: (error: unknown) => unknown;
  /** Called when the key may be written again. */
  readonly onDiscarded: () => void;
}

/**
 * Writes a blob. `seal` sends a small blob with one PUT. A larger one is a multipart upload: while one
 * part is sent, the next is received. Large parts are buffered in the staging folder, not in memory.
 */
export function createS3Writer(parts: S3WriterParts): BlobWriter {
  const { client, multiparts, sizes, key } = parts;
  const buffers = createParts(parts.staging, Math.max(sizes.regular, sizes.large));
  const stop = new AbortController();
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let current: Part = buffers.next(0);
  let sent = 0;
  let total = 0;
  let upload: Multipart | undefined;
  let mayHaveOrphans = false;
  let mayExist = false;
  const tags: Promise<string>[] = [];
  let discarding: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one step at a time, and none after a failure. */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open") throw new Error(`This blob is ${state} and cannot be written.`);
      try {
        await step();
      } catch (error) {
        state = "failed";
        stop.abort();
        throw parts.faultOf(error);
      }
    });
    last = run.catch(() => {});
    return run;
  }

  const spaceLeft = (): number =>
    (sent < sizes.regularCount ? sizes.regular : sizes.large) - current.length;

  async function startUpload(): Promise<Multipart> {
    await parts.reservation;
    mayHaveOrphans = true;
    const { multipart, mayHaveOrphan } = await multiparts.start(key);
    parts.activeUploads.add(multipart.uploadId);
    mayHaveOrphans = mayHaveOrphan;
    return multipart;
  }

  /** Starts sending the current part once the previous part has been sent. */
  async function sendPart(): Promise<void> {
    if (sent === sizes.maxCount) {
      throw new Fault("too_large", "The file is larger than this storage accepts.");
    }
    upload ??= await startUpload();
    await tags.at(-1);
    sent += 1;
    const tag = upload.put(sent, current.body(), stop.signal);
    tag.catch(() => {});
    tags.push(tag);
    current = buffers.next(sent % 2 === 0 ? 0 : 1);
  }

  async function removeBlob(): Promise<boolean> {
    // After a failure only one attempt, as the client has waited long enough.
    const attempts = state === "failed" ? 1 : undefined;
    stop.abort();
    await Promise.allSettled(tags);
    await buffers.close().catch(() => {});
    state = "discarded";
    try {
      await Promise.all([
        abortUpload(attempts),
        ...(mayExist ? [client.send(removal(key, attempts))] : []),
      ]);
      await parts.reservation.then(parts.onDiscarded, () => {});
      return true;
    } catch {
      return false;
    } finally {
      if (upload !== undefined) parts.activeUploads.delete(upload.uploadId);
    }
  }

  async function abortUpload(attempts: number | undefined): Promise<void> {
    if (mayHaveOrphans) await abortOrphans(attempts);
    else if (upload !== undefined)
      await multiparts.abort({ key, uploadId: upload.uploadId }, attempts);
  }

  async function abortOrphans(attempts?: number): Promise<void> {
    for await (const found of multiparts.unfinished(key)) {
      if (found.key === key) await multiparts.abort(found, attempts);
    }
  }

  async function complete(): Promise<void> {
    mayExist = true;
    if (upload === undefined) {
      await client.send({ method: "PUT", key, body: current.body(), signal: stop.signal });
      return;
    }
    await sendPart();
    await upload.complete(await Promise.all(tags), total);
    if (mayHaveOrphans) await abortOrphans().catch(() => {});
  }

  return {
    write: (chunk) =>
      enqueue(async () => {
        for (let done = 0; done < chunk.byteLength; ) {
          if (spaceLeft() === 0) await sendPart();
          const piece = chunk.subarray(done, done + spaceLeft());
          await current.add(piece);
          done += piece.byteLength;
          total += piece.byteLength;
        }
      }),

    seal: () =>
      enqueue(async () => {
        await parts.reservation;
        await complete();
        await buffers.close();
        state = "sealed";
        if (upload !== undefined) parts.activeUploads.delete(upload.uploadId);
      }),

    discard() {
      discarding ??= last.then(removeBlob);
      last = discarding;
      return discarding;
    },
  };
}

const removal = (key: string, attempts: number | undefined) =>
  ({ method: "DELETE", key, ...(attempts === undefined ? {} : { attempts }) }) as const;
