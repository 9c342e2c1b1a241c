import { HoldallError } from "../connection/error.ts";
import { readEnvelope, throwFailure } from "../connection/read-envelope.ts";
import { hasXhr, sendXhr } from "../connection/send-xhr.ts";
import type { Transport } from "../connection/transport.ts";

export interface Chunk {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Blob | ReadableStream<Uint8Array>;
  /** In bytes. */
  readonly length: number;
  /** Called with the bytes of the chunk that were sent so far. They may still be lost. */
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** A connection that takes no byte for this time is given up. */
const SILENCE_MS = 60_000;
/** The time for the response after the last byte: the server may have to read the whole file again. */
const RESPONSE_MS = 600_000;

/**
 * Sends a chunk with PATCH. Returns the headers of the successful response. In browsers with
 * XMLHttpRequest, because `fetch` reports no progress there.
 */
export async function sendChunk(transport: Transport, chunk: Chunk): Promise<Headers> {
  const silence = new AbortController();
  const late = new HoldallError(0, "The connection takes no more bytes.");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectProgress = (bytes: number): void => {
    clearTimeout(timer);
    const ms = bytes < chunk.length ? SILENCE_MS : RESPONSE_MS;
    timer = setTimeout(() => silence.abort(late), ms);
  };
  const { signal } = chunk;
  const watched: Chunk = {
    ...chunk,
    signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    onSent(bytes) {
      expectProgress(bytes);
      chunk.onSent(bytes);
    },
  };
  expectProgress(0);
  try {
    const hasRequests = hasXhr() && !transport.hasCustomFetch;
    return await (hasRequests ? sendRequest : sendFetch)(transport, watched);
  } finally {
    clearTimeout(timer);
  }
}

async function sendFetch(transport: Transport, chunk: Chunk): Promise<Headers> {
  const { url, headers, body, length, signal } = chunk;
  // Browsers without XMLHttpRequest, such as service workers, cannot send streams.
  const isWhole = body instanceof Blob && globalThis.location !== undefined;
  const content = countBytes(body instanceof Blob ? body.stream() : body, chunk);
  try {
    const response = await transport.once(url, {
      method: "PATCH",
      headers: { ...headers, "Content-Length": String(length) },
      body: isWhole ? body : content.stream,
      redirect: "error",
      ...{ duplex: "half" },
      signal: signal ?? null,
    });
    if (!response.ok) await throwFailure(response);
    await response.body?.cancel();
    return response.headers;
  } catch (error) {
    // A failure of the source explains more than the connection failure that it causes.
    throw signal?.aborted ? signal.reason : (content.readError() ?? error);
  } finally {
    // The runtime may leave the stream open after a failure.
    await content.end();
  }
}

/** The content as a stream that reports what was read from it. */
function countBytes(source: ReadableStream<Uint8Array>, { length, onSent }: Chunk) {
  const reader = source.getReader();
  let sent = 0;
  let hasEnded = false;
  let readError: unknown;

  async function readNext(): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read();
    if (done && sent < length && !hasEnded) {
      throw new HoldallError(400, "The content has fewer bytes than its size.");
    }
    return done ? undefined : value;
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (hasEnded) return;
        try {
          const chunk = await readNext();
          if (hasEnded) return;
          if (chunk === undefined) return controller.close();
          sent += chunk.length;
          controller.enqueue(chunk);
          onSent(sent);
        } catch (error) {
          if (!hasEnded) readError = error;
          throw error;
        }
      },
      cancel: () => end(),
    },
    { highWaterMark: 0 },
  );

  async function end(): Promise<void> {
    hasEnded = true;
    await reader.cancel().catch(() => {});
  }

  return { stream, end, readError: () => readError };
}

async function sendRequest(transport: Transport, chunk: Chunk): Promise<Headers> {
  const { url, headers, body, onSent, signal } = chunk;
  if (!(body instanceof Blob)) throw new TypeError("Browsers have no local files.");
  const response = await sendXhr({
    method: "PATCH",
    url: transport.absoluteUrl(url),
    headers,
    body,
    onProgress: ({ loaded }) => onSent(loaded),
    signal,
  });
  if (response.status < 200 || response.status >= 300) readEnvelope(response);
  return response.headers;
}
