import { Fault } from "../../rules/fault.ts";
import type { BlobWriter } from "../port.ts";
import { createParts, type Part } from "./part.ts";
import type { S3Client } from "./s3-client.ts";
import type { Multipart, Multiparts } from "./s3-multipart.ts";
import type { Staging } from "./staging.ts";

/** Part sizes of multipart uploads. S3 allows 10,000 parts, none but the last below 5 MiB. */
export interface PartSizes {
  readonly regular: number;
  /** The first parts have the same size, since some stores require that. */
  readonly regularCount: number;
  /** Of the parts after that, up to `maxCount` parts in all. */
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
  /** Rejects when the key is taken; awaited before anything is sent. */
  readonly free: Promise<void>;
  /** Ids of the multipart uploads in progress, which `flushBlock` must not abort. */
  readonly live: Set<string>;
  /** Translates S3 errors. */
  readonly faultOf: (error: unknown) => unknown;
  /** Called when the key may be written again. */
  readonly onDiscarded: () => void;
}

/**
 * `seal` sends small blobs with one PUT. Larger ones are multipart uploads: while one part is sent, the
 * next is received. Parts wait in the staging folder, not in memory.
 */
export function createS3Writer(parts: S3WriterParts): BlobWriter {
  const { client, multiparts, sizes, key } = parts;
  const staged = createParts(parts.staging, Math.max(sizes.regular, sizes.large));
  const stop = new AbortController();
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let current: Part = staged.next(0);
  let sent = 0;
  let total = 0;
  let begun: Multipart | undefined;
  let mayHaveStrays = false;
  let mayBeThere = false;
  const tags: Promise<string>[] = [];
  let discarding: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one step at a time, and none after a failure. */
  function inTurn(step: () => Promise<void>): Promise<void> {
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

  const room = (): number =>
    (sent < sizes.regularCount ? sizes.regular : sizes.large) - current.length;

  async function begin(): Promise<Multipart> {
    await parts.free;
    mayHaveStrays = true;
    const { multipart, strays } = await multiparts.begin(key);
    parts.live.add(multipart.uploadId);
    mayHaveStrays = strays;
    return multipart;
  }

  /** Starts sending the current part, once the part before it is sent. */
  async function sendPart(): Promise<void> {
    if (sent === sizes.maxCount) {
      throw new Fault("too_large", "The file is larger than this storage accepts.");
    }
    begun ??= await begin();
    await tags.at(-1);
    sent += 1;
    const tag = begun.put(sent, current.body(), stop.signal);
    tag.catch(() => {});
    tags.push(tag);
    current = staged.next(sent % 2 === 0 ? 0 : 1);
  }

  async function clear(): Promise<boolean> {
    // After a failure, one attempt: the client has waited long enough.
    const attempts = state === "failed" ? 1 : undefined;
    stop.abort();
    await Promise.allSettled(tags);
    await staged.close().catch(() => {});
    state = "discarded";
    try {
      await Promise.all([
        endMultipart(attempts),
        ...(mayBeThere ? [client.send(removal(key, attempts))] : []),
      ]);
      await parts.free.then(parts.onDiscarded, () => {});
      return true;
    } catch {
      return false;
    } finally {
      if (begun !== undefined) parts.live.delete(begun.uploadId);
    }
  }

  async function endMultipart(attempts: number | undefined): Promise<void> {
    if (mayHaveStrays) await endStrays(attempts);
    else if (begun !== undefined)
      await multiparts.abort({ key, uploadId: begun.uploadId }, attempts);
  }

  async function endStrays(attempts?: number): Promise<void> {
    for await (const found of multiparts.unfinished(key)) {
      if (found.key === key) await multiparts.abort(found, attempts);
    }
  }

  async function complete(): Promise<void> {
    mayBeThere = true;
    if (begun === undefined) {
      await client.send({ method: "PUT", key, body: current.body(), signal: stop.signal });
      return;
    }
    await sendPart();
    await begun.complete(await Promise.all(tags), total);
    if (mayHaveStrays) await endStrays().catch(() => {});
  }

  return {
    write: (chunk) =>
      inTurn(async () => {
        for (let done = 0; done < chunk.byteLength; ) {
          if (room() === 0) await sendPart();
          const piece = chunk.subarray(done, done + room());
          await current.add(piece);
          done += piece.byteLength;
          total += piece.byteLength;
        }
      }),

    seal: () =>
      inTurn(async () => {
        await parts.free;
        await complete();
        await staged.close();
        state = "sealed";
        if (begun !== undefined) parts.live.delete(begun.uploadId);
      }),

    discard() {
      discarding ??= last.then(clear);
      last = discarding;
      return discarding;
    },
  };
}

const removal = (key: string, attempts: number | undefined) =>
  ({ method: "DELETE", key, ...(attempts === undefined ? {} : { attempts }) }) as const;
