import { readBody, type S3Body } from "../../blobs/s3/read-body.ts";
import type { S3Client } from "../../blobs/s3/s3-client.ts";
import { S3Error } from "../../blobs/s3/s3-error.ts";
import { sleep } from "../../runtime/sleep.ts";
import { bareEtag } from "../../semantics/s3/object-etag.ts";
import { type ListedObject, type OpenObject, SourceChanged } from "./source-bucket.ts";

/** Times that the connection may break before the next byte arrives. */
const MAX_FAILURES = 4;
/** Before the object is requested again for the first time, in milliseconds. Doubles each time. */
const FIRST_PAUSE_MS = 500;

interface Opened extends S3Body {
  readonly headers: Headers;
}

/**
 * Opens an object that may change at any time. Only the listed content is read, also when the connection breaks
 * and the rest is requested again. Throws `SourceChanged` and S3Error.
 */
export async function readSourceObject(
  client: S3Client,
  object: ListedObject,
  headers: Readonly<Record<string, string>>,
): Promise<OpenObject> {
  let current = await openAt(client, object, 0, headers);

  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    let position = 0;
    let failures = 0;
    try {
      while (position < object.size) {
        try {
          const chunk = await current.next();
          if (chunk === undefined) throw new S3Error(0, "", `GET ${object.key}: ended too early`);
          position += chunk.byteLength;
          failures = 0;
          yield chunk;
        } catch (error) {
          failures += 1;
          if (failures >= MAX_FAILURES || !(error instanceof S3Error)) throw error;
          await current.cancel();
          // Many objects are read at once: a source that restarts must not get all their requests together.
          await sleep(FIRST_PAUSE_MS * 2 ** (failures - 1) * (1 + Math.random() / 2));
          current = await openAt(client, object, position, headers);
        }
      }
    } finally {
      await current.cancel();
    }
  }

  return { headers: current.headers, chunks: chunks(), close: () => current.cancel() };
}

async function openAt(
  client: S3Client,
  { key, size, etag }: ListedObject,
  start: number,
  headers: Readonly<Record<string, string>>,
): Promise<Opened> {
  const range = start === 0 ? {} : { Range: `bytes=${start}-` };
  const opened = await client
    .open({ method: "GET", key, headers: { ...headers, ...range, "If-Match": `"${etag}"` } })
    .catch((error: unknown) => {
      throw isChange(error) ? new SourceChanged(key) : error;
    });
  const body = readBody(key, opened);
  const { headers: received, status } = opened.response;
  // Some servers ignore If-Match.
  const found = bareEtag(received.get("etag") ?? "");
  const length = Number(received.get("content-length") ?? size - start);
  const isRest = start === 0 ? status === 200 : status === 206;
  if (found !== etag || length !== size - start) {
    await body.cancel();
    throw new SourceChanged(key);
  }
  if (!isRest) {
    await body.cancel();
    throw new S3Error(500, "", `GET ${key}: a response with the status ${status}`);
  }

  return { headers: received, ...body };
}

/** The object is gone, or its ETag is another one, or it is shorter now. */
const isChange = (error: unknown): boolean =>
  error instanceof S3Error &&
  (error.status === 412 ||
    error.status === 416 ||
    (error.status === 404 && error.code !== "NoSuchBucket"));
