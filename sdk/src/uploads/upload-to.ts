import type { CallOptions } from "../connection/options.ts";
import { createTransport, type Transport } from "../connection/transport.ts";
import { requireSliced } from "../files/sliced-source.ts";
import type { Named, Source } from "../files/upload-source.ts";
import { requireChunkSize } from "./require-chunk-size.ts";
import { type SendOptions, sendUpload } from "./send-upload.ts";
import { cancelUpload, type UploadedFile } from "./upload-url.ts";

export type SendContentOptions = SendOptions & Omit<Named, "content" | "sha256" | "size">;

/**
 * Sends a file to an upload URL, with nothing but the URL: see `uploads.send`. For browsers and other
 * programs without an API key.
 */
export function uploadTo(
  url: string,
  content: Source,
  options: SendContentOptions = {},
): Promise<UploadedFile | undefined> {
  // In a browser, the URL may be relative to the page.
  const { origin, href } = new URL(url, globalThis.location?.href);
  return sendContent(createTransport({ url: origin }).anonymous(), href, content, options);
}

/** Removes the upload of an upload URL and its bytes. The file of a complete upload stays. 404: it has ended. */
export function cancelUploadTo(url: string, options: CallOptions = {}): Promise<void> {
  const { origin, href } = new URL(url, globalThis.location?.href);
  return cancelUpload(createTransport({ url: origin }).anonymous(), href, options);
}

/** Sends the content, or what is missing of it, until the upload is complete. */
export async function sendContent(
  anonymous: Transport,
  url: string,
  content: Source,
  options: SendContentOptions,
): Promise<UploadedFile | undefined> {
  requireChunkSize(options);
  return sendUpload(anonymous, url, await requireSliced({ ...options, content }), options);
}
