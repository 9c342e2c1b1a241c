import { Upload, type UploadOptions } from "tus-js-client";
import type { Reachable } from "./client.ts";

/** Uploads with tus-js-client; resolves with the path of the upload URL. */
export function uploadWithTus(
  server: Reachable,
  bytes: Uint8Array,
  options: Partial<UploadOptions> & { readonly filename: string; readonly folder: string },
): { readonly upload: Upload; readonly done: Promise<string> } {
  const { filename, folder, ...others } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const upload = new Upload(Buffer.from(bytes), {
    endpoint: `${server.url}/api/uploads`,
    headers: { "API-Key": server.apiKey },
    metadata: { filename, folder },
    retryDelays: Array.from({ length: 40 }, () => 100),
    ...others,
    onError: reject,
    onSuccess: () => resolve(new URL(upload.url ?? "").pathname),
  });
  return { upload, done: promise };
}
