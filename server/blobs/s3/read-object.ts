import type { Slice } from "../port.ts";
import { MAX_ATTEMPTS, type S3Client } from "./s3-client.ts";
import { isAbsent, S3Error } from "./s3-error.ts";

/** A running read of an object. */
export interface ObjectRead {
  /** The size of the whole object, in bytes. */
  readonly size: number;
  /** The requested bytes. Throws S3Error rather than ending early. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Ends the request without reading the rest. */
  cancel(): Promise<void>;
}

interface Opened {
  readonly size: number;
  readonly next: () => Promise<Uint8Array | undefined>;
  readonly cancel: () => Promise<void>;
}

/**
 * Reads an object or a slice of it. If the response breaks off or stalls, requests the rest, which is
 * safe as blobs never change. undefined: the object does not exist. Throws S3Error.
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
    // The slice starts past the end, so the object has another size than expected.
    if (error instanceof S3Error && error.status === 416) return undefined;
    throw error;
  }
  const { size } = current;
  const end = slice?.end ?? size;
  let isOpen = true;

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
          if (!isOpen || failures >= MAX_ATTEMPTS || !(error instanceof S3Error)) throw error;
          await current.cancel();
          current = await openAt(client, key, position, end);
          if (current.size !== size) throw new S3Error(0, "", `GET ${key}: the size has changed`);
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
      isOpen = false;
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
  const { response, idleTimeout } = await client.open({
    method: "GET",
    key,
    ...(isWhole ? {} : { headers: { Range: range } }),
  });
  const reader = response.body?.getReader();
  let hasEnded = false;
  const cancel = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    idleTimeout.abort(new Error("cancelled"));
    await reader?.cancel().catch(() => {});
  };
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = isWhole ? length : totalOf(response.headers.get("content-range"));
  idleTimeout.pause();
  if (!Number.isSafeInteger(total) || (!isWhole && response.status !== 206)) {
    await cancel();
    throw new S3Error(500, "", `GET ${key}: a response without range or length`);
  }

  return {
    size: total,
    cancel,
    async next() {
      try {
        idleTimeout.restart();
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        idleTimeout.pause();
        hasEnded ||= done;
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
