import type { Slice } from "../port.ts";
import { readBody, type S3Body } from "./read-body.ts";
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

interface Opened extends S3Body {
  readonly size: number;
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
  const opened = await client.open({
    method: "GET",
    key,
    ...(isWhole ? {} : { headers: { Range: range } }),
  });
  const body = readBody(key, opened);
  const { headers, status } = opened.response;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  const total = isWhole ? length : totalOf(headers.get("content-range"));
  if (!Number.isSafeInteger(total) || (!isWhole && status !== 206)) {
    await body.cancel();
    throw new S3Error(500, "", `GET ${key}: a response without range or length`);
  }

  return { size: total, ...body };
}

/** RFC 9110, section 14.4: `bytes 0-99/2048`. */
const totalOf = (range: string | null): number =>
  Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? Number.NaN);
