import { AwsV4Signer } from "aws4fetch";
import { createPatience, type Patience } from "./patience.ts";
import { isPassing, S3Error } from "./s3-error.ts";
import { bucketUrl, keyPath, type S3Settings } from "./s3-settings.ts";
import { textOf } from "./xml.ts";

/** One request to the bucket, or to the object of this key in it. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Ends it at once, without another try. */
  readonly signal?: AbortSignal;
  /** How often it is tried; without it, `TRIES` times where another try may help. */
  readonly tries?: number;
}

/** What is sent. Each try opens it anew. */
export interface S3Body {
  readonly length: number;
  /** In hex. S3 refuses what has another. */
  readonly sha256: string;
  open(): Uint8Array | ReadableStream<Uint8Array>;
}

export interface S3Answer {
  readonly headers: Headers;
  readonly text: string;
  /** More than one: an earlier try may have been carried out as well. */
  readonly tries: number;
}

export interface S3Client {
  readonly bucket: string;
  /** Sends it and reads the whole answer. S3Error: it is none of success, or there is none in time. */
  ask(request: S3Request): Promise<S3Answer>;
  /**
   * Sends it and gives the answer before its body. `patience` goes on during the body and is the
   * caller's to end. S3Error as above.
   */
  open(request: S3Request): Promise<{ readonly response: Response; readonly patience: Patience }>;
  /** An address that lets anyone send this request for so many seconds. */
  presign(key: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string>;
}

export const TRIES = 3;
/** All tries and the pauses between them fit into the timeout, with room to tidy up after them. */
const SHARE_OF_TRY = 0.26;
const SHARE_OF_PAUSE = 0.02;
/** The most of an answer that is read for its reason. */
const MOST_REASON = 2000;

export function createS3Client(settings: S3Settings): S3Client {
  const { region, accessKeyId, secretAccessKey, timeout } = settings;
  const base = bucketUrl(settings);
  const keys = { accessKeyId, secretAccessKey, region, service: "s3" };
  const cache = new Map<string, ArrayBuffer>();

  function addressOf(key: string | undefined, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(key === undefined ? `${base}/` : `${base}/${keyPath(key)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async function once(request: S3Request, patience: Patience): Promise<Response> {
    const { method, body } = request;
    const signed = await new AwsV4Signer({
      ...keys,
      cache,
      method,
      url: addressOf(request.key, request.query).href,
      headers: {
        ...request.headers,
        ...(body === undefined ? {} : { "X-Amz-Content-Sha256": body.sha256 }),
      },
    }).sign();
    if (body !== undefined) signed.headers.set("Content-Length", String(body.length));
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: "manual",
      decompress: false,
      signal: patience.signal,
      ...(body === undefined ? {} : { body: heardOf(body.open(), patience) }),
    });
  }

  /** One try. Whatever goes wrong on the way comes out as an S3Error. */
  async function attempt<T>(
    request: S3Request,
    take: (response: Response, patience: Patience) => Promise<T>,
  ): Promise<T> {
    const patience = createPatience(timeout * SHARE_OF_TRY);
    const onAbort = (): void => patience.end(new Error("it is not wanted any more"));
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener("abort", onAbort);
    try {
      const response = await once(request, patience);
      if (response.ok) return await take(response, patience);
      const text = request.method === "HEAD" ? "" : await response.text();
      throw refusal(request, response.status, text);
    } catch (error) {
      patience.rest();
      if (error instanceof S3Error) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new S3Error(0, "", `${nameOf(request)}: no answer (${why})`);
    } finally {
      request.signal?.removeEventListener("abort", onAbort);
    }
  }

  async function persist<T>(request: S3Request, run: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run(tries);
      } catch (error) {
        const isLast = tries >= (request.tries ?? TRIES) || request.signal?.aborted === true;
        if (isLast || !(error instanceof S3Error) || !isPassing(error)) throw error;
      }
      // Not all at the same moment again.
      await Bun.sleep(timeout * SHARE_OF_PAUSE * tries * (0.5 + Math.random() / 2));
    }
  }

  return {
    bucket: settings.bucket,

    ask: (request) =>
      persist(request, (tries) =>
        attempt(request, async (response, patience) => {
          const text = await response.text();
          patience.rest();
          return { headers: response.headers, text, tries };
        }),
      ),

    open: (request) =>
      persist(request, () =>
        attempt(request, async (response, patience) => ({ response, patience })),
      ),

    async presign(key, seconds, query) {
      const url = addressOf(key, { ...query, "X-Amz-Expires": String(seconds) });
      const signed = await new AwsV4Signer({
        ...keys,
        cache,
        url: url.href,
        signQuery: true,
      }).sign();
      return signed.url.href;
    },
  };
}

/** The body, with every chunk that is drawn from it heard of. */
function heardOf(
  body: Uint8Array | ReadableStream<Uint8Array>,
  patience: Patience,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        patience.heard();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function refusal(request: S3Request, status: number, text: string): S3Error {
  const code = textOf(text, "Code").slice(0, 100);
  const reason = [code, textOf(text, "Message").slice(0, MOST_REASON)].filter(
    (part) => part !== "",
  );
  return new S3Error(
    status,
    code,
    `${nameOf(request)}: ${status}${reason.length === 0 ? "" : ` ${reason.join(": ")}`}`,
  );
}

function nameOf({ method, key, query }: S3Request): string {
  const asked = Object.keys(query ?? {}).join("&");
  return `${method} ${key ?? "the bucket"}${asked === "" ? "" : `?${asked}`}`;
}
