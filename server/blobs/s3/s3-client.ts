import { sleep } from "../../runtime/sleep.ts";
import { createTryBudget, type FirstReply, firstReply } from "./first-reply.ts";
import { createIdleTimeout, type IdleTimeout } from "./idle-timeout.ts";
import { createRequestSigner } from "./request-signer.ts";
import { isRetryable, S3Error } from "./s3-error.ts";
import type { S3Settings } from "./s3-settings.ts";
import { createStoreBreakers, type OnFreeze } from "./store-breakers.ts";
import { findText, readXml } from "./xml.ts";

/** One request to the bucket, or to the object of this key in it. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Aborts the request without another attempt. */
  readonly signal?: AbortSignal;
  /** Default: `MAX_ATTEMPTS`. Only retryable errors are retried. */
  readonly attempts?: number;
  /** The store may take long over it, so it is not sent again while there is no reply. */
  readonly isLong?: boolean;
}

/** Every attempt calls `open` again. */
export interface S3Body {
  readonly length: number;
  /** In hex. S3 rejects a body with another hash. */
  readonly sha256: string;
  open(): Uint8Array | ReadableStream<Uint8Array>;
}

export interface S3Response {
  readonly headers: Headers;
  readonly text: string;
  /** If more than one, S3 may have executed an earlier attempt too. */
  readonly attempts: number;
}

export interface S3Client {
  readonly bucket: string;
  /** Reads the whole response. Throws S3Error on a non-2xx status or a timeout, after retries. */
  send(request: S3Request): Promise<S3Response>;
  /**
   * Resolves with the headers. `idleTimeout` keeps running while the caller reads the body; the caller
   * must pause or abort it. Throws S3Error as `send`.
   */
  open(
    request: S3Request,
  ): Promise<{ readonly response: Response; readonly idleTimeout: IdleTimeout }>;
  /** A presigned URL: anyone can send this request until it expires. */
  presign(key: string, seconds: number, query: Readonly<Record<string, string>>): string;
  /** Whether the store is known to hang writes. */
  areWritesFrozen(): boolean;
}

export interface S3ClientOptions {
  /**
   * Makes requests fail within seconds while the store is frozen, and gets what the log should say.
   * Default: every request waits up to its timeout.
   */
  readonly onFreeze?: OnFreeze | undefined;
}

export const MAX_ATTEMPTS = 3;
/** All attempts and the delays between them fit into the timeout, with time left to clean up. */
const ATTEMPT_SHARE = 0.26;
const DELAY_SHARE = 0.02;
const FROZEN = "not sent, as the store does not reply to such requests";
/** A larger body may still be on its way when there was no progress for two seconds. */
const MAX_RESENT = 1024 ** 2;
/** Requests that are sent again, at a time. */
const MAX_AGAIN = 32;
/** Maximum length of an error message from S3, in characters. */
const MAX_REASON = 2000;

export function createS3Client(settings: S3Settings, { onFreeze }: S3ClientOptions = {}): S3Client {
  const { timeout } = settings;
  const signer = createRequestSigner(settings);
  const breakers = onFreeze && createStoreBreakers(signer, onFreeze);
  const budget = createTryBudget(MAX_AGAIN);

  async function sendOnce(
    request: S3Request,
    idleTimeout: IdleTimeout,
    connection: Pick<RequestInit, "signal" | "keepalive">,
  ): Promise<Response> {
    const { method, body } = request;
    const signed = signer.sign(request, {
      ...request.headers,
      ...(body === undefined ? {} : { "X-Amz-Content-Sha256": body.sha256 }),
    });
    return fetch(signed.url, {
      method,
      headers: {
        ...signed.headers,
        ...(body === undefined ? {} : { "Content-Length": String(body.length) }),
      },
      redirect: "manual",
      decompress: false,
      ...connection,
      ...(body === undefined ? {} : { body: restartingOnRead(body.open(), idleTimeout) }),
    });
  }

  async function sendUntilReply(request: S3Request, idleTimeout: IdleTimeout): Promise<FirstReply> {
    const { signal } = idleTimeout;
    if (request.isLong === true || (request.body?.length ?? 0) > MAX_RESENT) {
      return { response: await sendOnce(request, idleTimeout, { signal }), tries: 1 };
    }
    return firstReply(
      (own, isAgain) =>
        sendOnce(request, idleTimeout, { signal: own, ...(isAgain && { keepalive: false }) }),
      signal,
      budget,
    );
  }

  const isFrozen = ({ method }: S3Request): boolean =>
    breakers?.of(method).some((breaker) => breaker.isFrozen()) === true;

  /** One attempt. Every error becomes an S3Error. */
  async function attempt<T>(
    request: S3Request,
    take: (response: Response, idleTimeout: IdleTimeout, tries: number) => Promise<T>,
  ): Promise<T> {
    const watching = breakers?.of(request.method) ?? [];
    if (isFrozen(request)) throw new S3Error(0, "", `${nameOf(request)}: ${FROZEN}`);
    const idleTimeout = createIdleTimeout(timeout * ATTEMPT_SHARE, watching);
    const onAbort = (): void => idleTimeout.abort(new Error("cancelled"));
    if (request.signal?.aborted) onAbort();
    request.signal?.addEventListener("abort", onAbort);
    try {
      const { response, tries } = await sendUntilReply(request, idleTimeout);
      for (const breaker of watching) breaker.noteReply();
      if (response.ok) return await take(response, idleTimeout, tries);
      const text = request.method === "HEAD" ? "" : await response.text();
      throw refusal(request, response.status, text);
    } catch (error) {
      idleTimeout.pause();
      if (error instanceof S3Error) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new S3Error(0, "", `${nameOf(request)}: no response (${why})`);
    } finally {
      request.signal?.removeEventListener("abort", onAbort);
    }
  }

  async function retry<T>(request: S3Request, run: (attempts: number) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await run(attempts);
      } catch (error) {
        const isLast =
          attempts >= (request.attempts ?? MAX_ATTEMPTS) ||
          request.signal?.aborted === true ||
          isFrozen(request);
        if (isLast || !(error instanceof S3Error) || !isRetryable(error)) throw error;
      }
      // With jitter, so that requests do not retry at the same moment.
      await sleep(timeout * DELAY_SHARE * attempts * (0.5 + Math.random() / 2));
    }
  }

  return {
    bucket: settings.bucket,

    send: (request) =>
      retry(request, (attempts) =>
        attempt(request, async (response, idleTimeout, tries) => {
          const text = await response.text();
          idleTimeout.pause();
          return { headers: response.headers, text, attempts: attempts + tries - 1 };
        }),
      ),

    open: (request) =>
      retry(request, () =>
        attempt(request, async (response, idleTimeout) => ({ response, idleTimeout })),
      ),

    areWritesFrozen: () => breakers?.areWritesFrozen() === true,

    presign: (key, seconds, query) => signer.presign({ method: "GET", key, query }, seconds),
  };
}

/** Wraps a body so that each chunk read from it restarts the timeout. */
function restartingOnRead(
  body: Uint8Array | ReadableStream<Uint8Array>,
  idleTimeout: IdleTimeout,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        idleTimeout.restart();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function refusal(request: S3Request, status: number, text: string): S3Error {
  const error = readXml(text);
  const code = findText(error, "Code").slice(0, 100);
  const reason = [code, findText(error, "Message").slice(0, MAX_REASON)].filter(
    (part) => part !== "",
  );
  return new S3Error(
    status,
    code,
    `${nameOf(request)}: ${status}${reason.length === 0 ? "" : ` ${reason.join(": ")}`}`,
  );
}

function nameOf({ method, key, query }: S3Request): string {
  const parameters = Object.keys(query ?? {}).join("&");
  return `${method} ${key ?? "the bucket"}${parameters === "" ? "" : `?${parameters}`}`;
}
