import type { S3Client } from "../../blobs/s3/s3-client.ts";
import { S3Error } from "../../blobs/s3/s3-error.ts";
import { bareEtag } from "../../semantics/s3/object-etag.ts";
import { type ListedObject, type OpenObject, SourceChanged } from "./source-bucket.ts";

/** Times that the connection may break before the next byte arrives. */
const MAX_FAILURES = 3;

interface Response {
  readonly headers: Headers;
  /** undefined: the end. Throws S3Error. */
  next(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
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
): Promise<Response> {
  const range = start === 0 ? {} : { Range: `bytes=${start}-` };
  const { response, idleTimeout } = await client
    .open({ method: "GET", key, headers: { ...headers, ...range, "If-Match": `"${etag}"` } })
    .catch((error: unknown) => {
      throw isChange(error) ? new SourceChanged(key) : error;
    });
  idleTimeout.pause();
  const reader = response.body?.getReader();
  let hasEnded = false;
  const cancel = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    idleTimeout.abort(new Error("cancelled"));
    await reader?.cancel().catch(() => {});
  };
  // Some servers ignore If-Match.
  const found = bareEtag(response.headers.get("etag") ?? "");
  const length = Number(response.headers.get("content-length") ?? size - start);
  const isRest = start === 0 ? response.status === 200 : response.status === 206;
  if (found !== etag || length !== size - start) {
    await cancel();
    throw new SourceChanged(key);
  }
  if (!isRest) {
    await cancel();
    throw new S3Error(500, "", `GET ${key}: a response with the status ${response.status}`);
  }

  return {
    headers: response.headers,
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

/** The object is gone, or its ETag is another one, or it is shorter now. */
const isChange = (error: unknown): boolean =>
  error instanceof S3Error &&
  (error.status === 412 ||
    error.status === 416 ||
    (error.status === 404 && error.code !== "NoSuchBucket"));
