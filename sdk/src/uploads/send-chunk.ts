import type { SomeValues } from "../connection/defined-entries.ts";
import { eitherSignal } from "../connection/either-signal.ts";
import { HoldallError } from "../connection/error.ts";
import { isSuccess, readEnvelope, throwFailure } from "../connection/read-envelope.ts";
import { sendStream } from "../connection/send-stream.ts";
import { sendXhr, usesXhr } from "../connection/send-xhr.ts";
import { blobOf, bytesOf, chunksOf } from "../connection/stream-of.ts";
import type { Transport } from "../connection/transport.ts";

export interface Chunk {
  readonly url: string;
  readonly headers: SomeValues;
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
    signal: eitherSignal(signal, silence),
    onSent(bytes) {
      expectProgress(bytes);
      chunk.onSent(bytes);
    },
  };
  expectProgress(0);
  try {
    return await (usesXhr(transport) ? sendRequest : sendFetch)(transport, watched);
  } finally {
    clearTimeout(timer);
  }
}

async function sendFetch(transport: Transport, chunk: Chunk): Promise<Headers> {
  const { url, headers, body, length, signal } = chunk;
  // Browsers without XMLHttpRequest, such as service workers, cannot send streams.
  const isWhole = body instanceof Blob && !!globalThis.location;
  const { chunks, end } = countBytes(body, chunk);
  const request = {
    method: "PATCH",
    headers: { ...headers, "Content-Length": String(length) },
    body: isWhole ? body : chunks,
    cancel: end,
    signal,
  };
  try {
    return await sendStream(transport, url, request, async (response) => {
      if (!response.ok) await throwFailure(response);
      await response.body?.cancel();
      return response.headers;
    });
  } finally {
    // The runtime may leave the stream open after a failure.
    await end();
  }
}

/** The content, which reports what was read from it, and `end` to stop reading it. */
function countBytes(source: Chunk["body"], { length, onSent }: Chunk) {
  const reader = bytesOf(source).getReader();
  let hasEnded = false;

  async function* counted(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const value of chunksOf(reader)) {
      if (hasEnded) return;
      sent += value.length;
      onSent(sent);
      yield value;
    }
    if (sent < length && !hasEnded) {
      throw new HoldallError(400, "The content has fewer bytes than its size.");
    }
  }

  async function end(): Promise<void> {
    hasEnded = true;
    await reader.cancel().catch(() => {});
  }

  return { chunks: counted(), end };
}

async function sendRequest(transport: Transport, chunk: Chunk): Promise<Headers> {
  const { url, headers, body, onSent, signal } = chunk;
  const response = await sendXhr({
    method: "PATCH",
    url: transport.absoluteUrl(url),
    headers,
    body: await blobOf(body),
    onProgress: ({ loaded }) => onSent(loaded),
    signal,
  });
  if (!isSuccess(response.status)) readEnvelope(response);
  return response.headers;
}
