import { HoldallError } from "./error.ts";
import { type Form, frameForm } from "./multipart.ts";
import { readEnvelope } from "./read-envelope.ts";

/**
 * Whether to upload with XMLHttpRequest. In browsers, `fetch` reports no upload progress and cannot
 * send streams over HTTP/1.1.
 */
export const hasFormRequests = (): boolean => typeof XMLHttpRequest !== "undefined";

export interface FormRequest {
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Sends the form. Returns the envelope's `data`. Reads streams completely first, because XMLHttpRequest needs a blob. */
export async function sendForm<Data>(form: Form, request: FormRequest): Promise<Data> {
  const { url, credentials, onSent, signal } = request;
  const { body, contentType, size } = await blobOf(form);
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    let sent = 0;
    xhr.upload.addEventListener("progress", ({ loaded, total }) => {
      // `total` includes the multipart framing, which does not count as progress.
      const content = Math.min(size, Math.max(0, loaded - (total - size)));
      if (content > sent) onSent(content - sent);
      sent = Math.max(sent, content);
    });
    xhr.addEventListener("load", () => {
      try {
        const { status, responseText: text } = xhr;
        const retryAfter = xhr.getResponseHeader("retry-after");
        const requestId = xhr.getResponseHeader("x-request-id");
        resolve(readEnvelope<Data>({ status, text, retryAfter, requestId }));
      } catch (error) {
        reject(error);
      }
    });
    xhr.addEventListener("error", () => {
      reject(new HoldallError(0, `The connection to ${new URL(url).origin} failed.`));
    });
    xhr.addEventListener("abort", () => reject(signal?.reason));
    xhr.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    signal?.addEventListener("abort", abort, { once: true });
    xhr.open("POST", url);
    for (const [name, value] of Object.entries(credentials)) xhr.setRequestHeader(name, value);
    xhr.setRequestHeader("Content-Type", contentType);
    xhr.send(body);
  });
}

/** A blob that references the files' blobs, which the browser reads while it sends. */
async function blobOf(form: Form): Promise<{ body: Blob; contentType: string; size: number }> {
  const { contentType, pieces } = frameForm(form);
  const blobs: BlobPart[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      blobs.push(piece);
      continue;
    }
    const content = piece.blob ?? (await new Response(piece.stream()).blob());
    blobs.push(content);
    size += content.size;
  }
  return { body: new Blob(blobs), contentType, size };
}
