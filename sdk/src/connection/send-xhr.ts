import { definedEntries, type SomeValues } from "./defined-entries.ts";
import { HoldallError } from "./error.ts";
import type { RawResponse } from "./read-envelope.ts";
import type { Transport } from "./transport.ts";

/**
 * Whether to upload with XMLHttpRequest. In browsers, `fetch` reports no upload progress and cannot
 * send streams over HTTP/1.1.
 */
export const usesXhr = ({ hasCustomFetch }: Pick<Transport, "hasCustomFetch">): boolean =>
  typeof XMLHttpRequest !== "undefined" && !hasCustomFetch;

export interface XhrRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: SomeValues;
  readonly body: Blob;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request with XMLHttpRequest. Returns a response of any status. */
export function sendXhr(request: XhrRequest): Promise<RawResponse> {
  const { method, url, headers, body, onProgress, signal } = request;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const abort = (): void => xhr.abort();
    xhr.upload.onprogress = onProgress;
    xhr.onload = () =>
      resolve({ status: xhr.status, text: xhr.responseText, headers: headersOf(xhr) });
    xhr.onerror = () =>
      reject(new HoldallError(0, `Cannot connect to the server at ${new URL(url).origin}.`));
    xhr.onabort = () => reject(signal?.reason);
    xhr.onloadend = () => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort, { once: true });
    xhr.open(method, url);
    for (const [name, value] of definedEntries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(body);
  });
}

function headersOf(xhr: XMLHttpRequest): Headers {
  const lines = xhr.getAllResponseHeaders().matchAll(/^([^:\r\n]+): ?(.*)$/gm);
  return new Headers([...lines].map(([, name = "", value = ""]) => [name, value]));
}
