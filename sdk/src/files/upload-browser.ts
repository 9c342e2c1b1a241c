import type { SomeValues } from "../connection/defined-entries.ts";
import { type Form, frameForm } from "../connection/multipart.ts";
import { readEnvelope } from "../connection/read-envelope.ts";
import { sendXhr } from "../connection/send-xhr.ts";
import { blobOf } from "../connection/stream-of.ts";

export interface FormRequest {
  readonly url: string;
  readonly credentials: SomeValues;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Sends the form. Returns the envelope's `data`. Reads streams completely first, because XMLHttpRequest needs a blob. */
export async function sendForm<Data>(form: Form, request: FormRequest): Promise<Data> {
  const { url, credentials, onSent, signal } = request;
  const { body, contentType, size } = await formBlob(form);
  signal?.throwIfAborted();
  let sent = 0;
  const response = await sendXhr({
    method: "POST",
    url,
    headers: { ...credentials, "Content-Type": contentType },
    body,
    onProgress({ loaded, total }) {
      // `total` includes the multipart framing, which does not count as progress.
      const content = Math.min(size, Math.max(0, loaded - (total - size)));
      if (content > sent) onSent(content - sent);
      sent = Math.max(sent, content);
    },
    signal,
  });
  return readEnvelope<Data>(response);
}

/** A blob that references the files' blobs, which the browser reads while it sends. */
async function formBlob(form: Form): Promise<{ body: Blob; contentType: string; size: number }> {
  const { contentType, pieces } = frameForm(form);
  const blobs: BlobPart[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      blobs.push(piece);
      continue;
    }
    const content = await blobOf(piece.content());
    blobs.push(content);
    size += content.size;
  }
  return { body: new Blob(blobs), contentType, size };
}
