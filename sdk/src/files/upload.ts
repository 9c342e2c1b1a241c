import type { FileMetadata, FileObject, Visibility } from "../../../contract/api.ts";
import { type Data, pathOf } from "../connection/call.ts";
import { encodeForm, type Form } from "../connection/multipart.ts";
import type { CallOptions } from "../connection/options.ts";
import { envelopeOf } from "../connection/read-envelope.ts";
import { sendStream } from "../connection/send-stream.ts";
import { usesXhr } from "../connection/send-xhr.ts";
import { sumOf } from "../connection/sum-of.ts";
import type { Transport } from "../connection/transport.ts";
import { partOf } from "./part-of.ts";
import { sendForm } from "./upload-browser.ts";
import type { Named } from "./upload-source.ts";

export interface Progress {
  /** Bytes of content sent so far. */
  readonly loaded: number;
  /** Total bytes of content; undefined if a stream's size is unknown. */
  readonly total: number | undefined;
}

/**
 * - refuse: fails with 409 and stores nothing.
 * - replace: gives the existing file the new content; it keeps its id. 409 if a folder has the name.
 * - keepBoth: stores the file as "name (2).ext", with the first free number.
 * - skip: does not store the file and omits it from the result.
 */
export type OnConflict = "refuse" | "replace" | "keepBoth" | "skip";

export interface UploadOptions extends CallOptions {
  /** Target folder, such as `photos/2026`. Missing folders are created. Default: the root. */
  readonly folder?: string | undefined;
  /** Visibility of all files of the request. Default: the server's default. */
  readonly visibility?: Visibility | undefined;
  /** Seconds until the files end. null: never. Default: `expireAfter` of the folder, or the end of a replaced file. */
  readonly expiresIn?: number | null | undefined;
  /** Metadata of all files of the request. Default: none; a replaced file keeps its own. */
  readonly metadata?: FileMetadata | undefined;
  /** The action if a name is already taken in the folder. Default: refuse. */
  readonly onConflict?: OnConflict | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Sends the files in one request, without retries: all appear or none. */
export async function upload(
  transport: Transport,
  files: readonly Named[],
  options: UploadOptions,
): Promise<FileObject[]> {
  return (await sendFiles<"uploadFiles">(transport, pathOf("uploadFiles"), files, options)).files;
}

/** Sends the files of an operation as a form to `url`, in one request, without retries. */
export async function sendFiles<Id extends "uploadFiles" | "addToBatch">(
  transport: Transport,
  url: string,
  files: readonly Named[],
  { folder, visibility, expiresIn, metadata, onConflict, onProgress, signal }: UploadOptions,
): Promise<Data<Id>> {
  signal?.throwIfAborted();
  const form: Form = {
    fields: {
      folder,
      visibility,
      expiresIn: expiresIn === null ? "never" : expiresIn?.toString(),
      metadata: metadata && JSON.stringify(metadata),
      onConflict,
      sha256: digestsOf(files),
    },
    files: await Promise.all(files.map(partOf)),
  };
  const total = sumOf(form.files.map(({ size }) => size));
  let loaded = 0;
  const onSent = (bytes: number) => {
    loaded += bytes;
    onProgress?.({ loaded, total });
  };
  if (usesXhr(transport)) {
    const { absoluteUrl, credentials } = transport;
    return sendForm(form, { url: absoluteUrl(url), credentials: credentials(), onSent, signal });
  }
  const { chunks, contentType, length } = encodeForm(form, onSent);
  const headers = { "Content-Type": contentType, "Content-Length": length?.toString() };
  const request = { method: "POST", headers, body: chunks, signal };
  return sendStream(transport, url, request, envelopeOf<Data<Id>>);
}

/** One field for each file, empty for those without a digest. */
function digestsOf(files: readonly Named[]): string[] | undefined {
  if (files.every(({ sha256 }) => sha256 === undefined)) return undefined;
  return files.map(({ sha256 = "" }) => sha256);
}
