import type { Slice } from "../port.ts";
import { type S3Client, TRIES } from "./s3-client.ts";
import { isAbsent, S3Error } from "./s3-error.ts";

/** An object that has begun to come. */
export interface ObjectRead {
  /** Of the whole object, in bytes. */
  readonly size: number;
  /** The bytes that were asked for; ends early with an S3Error and never short of one. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Lets go of it without reading it. */
  cancel(): Promise<void>;
}

interface Opened {
  readonly size: number;
  readonly next: () => Promise<Uint8Array | undefined>;
  readonly cancel: () => Promise<void>;
}

/**
 * Reads an object, or a part of it. Where the answer breaks off or falls silent, the rest is asked
 * for: blobs never change. Undefined: there is no such object. S3Error: it cannot be had.
 */
export async function readObject(
  client: S3Client,
  key: string,
  slice?: Slice,
): Promise<ObjectRead | undefined> {
  let current: Opened;
  try {
    current = await openAt(client, key, slice?.start ?? 0, slice?.end);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    // Nothing is there from this byte on, so nobody's idea of the size is right.
    if (error instanceof S3Error && error.status === 416) return undefined;
    throw error;
  }
  const { size } = current;
  const end = slice?.end ?? size;
  let isWanted = true;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let failures = 0;
    let position = slice?.start ?? 0;
    try {
      while (position < end) {
        try {
          const chunk = await current.next();
          if (chunk === undefined) throw new S3Error(0, "", `GET ${key}: ended too early`);
          position += chunk.byteLength;
          failures = 0;
          yield chunk;
        } catch (error) {
          failures += 1;
          if (!isWanted || failures >= TRIES || !(error instanceof S3Error)) throw error;
          await current.cancel();
          current = await openAt(client, key, position, end);
          if (current.size !== size)
            throw new S3Error(0, "", `GET ${key}: another size than before`);
        }
      }
    } finally {
      await current.cancel();
    }
  }

  return {
    size,
    chunks: chunks(),
    cancel() {
      isWanted = false;
      return current.cancel();
    },
  };
}

async function openAt(
  client: S3Client,
  key: string,
  start: number,
  end: number | undefined,
): Promise<Opened> {
  const isWhole = start === 0 && end === undefined;
  const range = `bytes=${start}-${end === undefined ? "" : end - 1}`;
  const { response, patience } = await client.open({
    method: "GET",
    key,
    ...(isWhole ? {} : { headers: { Range: range } }),
  });
  const reader = response.body?.getReader();
  let isOver = false;
  const cancel = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    patience.end(new Error("it is not wanted any more"));
    await reader?.cancel().catch(() => {});
  };
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = isWhole ? length : totalOf(response.headers.get("content-range"));
  patience.rest();
  if (!Number.isSafeInteger(total) || (!isWhole && response.status !== 206)) {
    await cancel();
    throw new S3Error(500, "", `GET ${key}: an answer without its range or length`);
  }

  return {
    size: total,
    cancel,
    async next() {
      try {
        patience.heard();
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        patience.rest();
        isOver ||= done;
        return done ? undefined : value;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new S3Error(0, "", `GET ${key}: broke off (${why})`);
      }
    },
  };
}

/** RFC 9110, section 14.4: `bytes 0-99/2048`. */
const totalOf = (range: string | null): number =>
  Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? Number.NaN);
