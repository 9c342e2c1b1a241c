import { Fault } from "../../rules/fault.ts";
import type { BlobWriter } from "../port.ts";
import { createParts, type Part } from "./part.ts";
import type { S3Client } from "./s3-client.ts";
import type { Multipart, Multiparts } from "./s3-multipart.ts";
import type { Staging } from "./staging.ts";

/** How a blob is cut. S3 takes no part below 5 MiB but the last, and 10,000 parts. */
export interface PartSizes {
  readonly usual: number;
  /** So many are usual: some stores want parts of one size. */
  readonly usualCount: number;
  /** Those after that, up to `mostCount` in all. */
  readonly large: number;
  readonly mostCount: number;
}

/** 40 GiB in usual parts; 352 GiB at the most. */
export const PART_SIZES: PartSizes = {
  usual: 8 * 1024 ** 2,
  usualCount: 5000,
  large: 64 * 1024 ** 2,
  mostCount: 10_000,
};

export interface S3WriterParts {
  readonly client: S3Client;
  readonly multiparts: Multiparts;
  readonly staging: Staging;
  readonly sizes: PartSizes;
  readonly key: string;
  /** Rejects when the key is taken; asked before anything is sent. */
  readonly free: Promise<void>;
  /** Hears of the upload in parts while it is under way, so that nobody takes it for left over. */
  readonly live: Set<string>;
  /** What to throw in place of an error of S3's. */
  readonly faultOf: (error: unknown) => unknown;
  /** The key may be written again. */
  readonly onDiscarded: () => void;
}

/**
 * Small blobs are sent whole by `seal`, larger ones in parts: while one is sent, the next is taken
 * in, and whoever is faster waits. Bytes on their way lie in the staging area and not in memory.
 */
export function createS3Writer(parts: S3WriterParts): BlobWriter {
  const { client, multiparts, sizes, key } = parts;
  const staged = createParts(parts.staging, Math.max(sizes.usual, sizes.large));
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

  /** One step at a time, each once and never after a failure. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open")
        throw new Error(`This blob is ${state}: nothing more can be done to it.`);
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

  const room = (): number => (sent < sizes.usualCount ? sizes.usual : sizes.large) - current.length;

  async function begin(): Promise<Multipart> {
    await parts.free;
    mayHaveStrays = true;
    const { multipart, strays } = await multiparts.begin(key);
    parts.live.add(multipart.uploadId);
    mayHaveStrays = strays;
    return multipart;
  }

  /** Sends the current part beside what comes next. Waits until the one before it has been taken. */
  async function sendPart(): Promise<void> {
    if (sent === sizes.mostCount) {
      throw new Fault("too_large", "The file is larger than this storage takes.");
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
    // After a failure the store gets one chance: whoever waits for the answer has waited enough.
    const tries = state === "failed" ? 1 : undefined;
    stop.abort();
    await Promise.allSettled(tags);
    await staged.close().catch(() => {});
    state = "discarded";
    try {
      await Promise.all([
        endMultipart(tries),
        ...(mayBeThere ? [client.ask(removal(key, tries))] : []),
      ]);
      await parts.free.then(parts.onDiscarded, () => {});
      return true;
    } catch {
      return false;
    } finally {
      if (begun !== undefined) parts.live.delete(begun.uploadId);
    }
  }

  async function endMultipart(tries: number | undefined): Promise<void> {
    if (mayHaveStrays) await endStrays(tries);
    else if (begun !== undefined) await multiparts.abort({ key, uploadId: begun.uploadId }, tries);
  }

  async function endStrays(tries?: number): Promise<void> {
    for await (const found of multiparts.unfinished(key)) {
      if (found.key === key) await multiparts.abort(found, tries);
    }
  }

  async function complete(): Promise<void> {
    mayBeThere = true;
    if (begun === undefined) {
      await client.ask({ method: "PUT", key, body: current.body(), signal: stop.signal });
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

const removal = (key: string, tries: number | undefined) =>
  ({ method: "DELETE", key, ...(tries === undefined ? {} : { tries }) }) as const;
