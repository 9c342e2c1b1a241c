import { HoldallError } from "./error.ts";
import type { RawResponse } from "./read-envelope.ts";

/**
 * Whether to upload with XMLHttpRequest. In browsers, `fetch` reports no upload progress and cannot
 * send streams over HTTP/1.1.
 */
export const hasXhr = (): boolean => typeof XMLHttpRequest !== "undefined";

export interface XhrRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request with XMLHttpRequest. Returns a response of any status. */
export function sendXhr(request: XhrRequest): Promise<RawResponse> {
  const { method, url, headers, body, onProgress, signal } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw signal.reason;
    const xhr = new XMLHttpRequest();
    const abort = (): void => xhr.abort();
    xhr.upload.addEventListener("progress", onProgress);
    xhr.addEventListener("load", () =>
      resolve({ status: xhr.status, text: xhr.responseText, headers: headersOf(xhr) }),
    );
    xhr.addEventListener("error", () => {
      reject(new HoldallError(0, `The connection to ${new URL(url).origin} failed.`));
    });
    xhr.addEventListener("abort", () => reject(signal?.reason));
    xhr.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    signal?.addEventListener("abort", abort, { once: true });
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(body);
  });
}

function headersOf(xhr: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [, name, value] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) headers.append(name, value ?? "");
  }
  return headers;
}
