import type { FileMetadata, FileObject, Visibility } from "../../../contract/api.ts";
import { type Data, pathOf } from "../connection/call.ts";
import { encodeForm, type Form } from "../connection/multipart.ts";
import type { CallOptions } from "../connection/options.ts";
import { readEnvelope } from "../connection/read-envelope.ts";
import { hasXhr } from "../connection/send-xhr.ts";
import type { Transport } from "../connection/transport.ts";
import { sendForm } from "./upload-browser.ts";
import { type Named, partOf } from "./upload-source.ts";

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
  const url = pathOf("uploadFiles");
  return (await sendFiles(transport, "uploadFiles", url, files, options)).files;
}

/** Sends the files of an operation as a form to `url`, in one request, without retries. */
export async function sendFiles<Id extends "uploadFiles" | "addToBatch">(
  transport: Transport,
  _: Id,
  url: string,
  files: readonly Named[],
  { folder, visibility, expiresIn, metadata, onConflict, onProgress, signal }: UploadOptions,
): Promise<Data<Id>> {
  signal?.throwIfAborted();
  const form: Form = {
    fields: {
      folder,
      visibility,
      expiresIn: expiresIn === undefined ? expiresIn : `${expiresIn ?? "never"}`,
      metadata: metadata && JSON.stringify(metadata),
      onConflict,
      sha256: digestsOf(files),
    },
    files: await Promise.all(files.map(partOf)),
  };
  const total = totalOf(form);
  let loaded = 0;
  const onSent = (bytes: number) => {
    loaded += bytes;
    onProgress?.({ loaded, total });
  };
  if (hasXhr() && !transport.hasCustomFetch) {
    const { absoluteUrl, credentials } = transport;
    return sendForm(form, { url: absoluteUrl(url), credentials, onSent, signal });
  }
  return stream(transport, url, form, onSent, signal);
}

/** One field for each file, empty for those without a digest. */
function digestsOf(files: readonly Named[]): string[] | undefined {
  if (files.every(({ sha256 }) => sha256 === undefined)) return undefined;
  return files.map(({ sha256 = "" }) => sha256);
}

function totalOf({ files }: Form): number | undefined {
  return files.every(({ size }) => size !== undefined)
    ? files.reduce((sum, { size }) => sum + (size ?? 0), 0)
    : undefined;
}

async function stream<Data>(
  transport: Transport,
  path: string,
  form: Form,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<Data> {
  let readError: unknown;
  const onReadError = (error: unknown) => {
    readError = error;
  };
  const { body, contentType, length } = encodeForm(form, { onSent, onReadError });
  const response = await transport
    .once(path, {
      method: "POST",
      headers: {
        "Content-Type": contentType,
        ...(length === undefined ? {} : { "Content-Length": String(length) }),
      },
      body,
      // To follow redirects, Node would buffer the whole body.
      redirect: "error",
      // The Fetch standard requires this for streams.
      ...{ duplex: "half" },
      signal: signal ?? null,
    })
    .catch((error: unknown) => {
      // A failure of the source explains more than the connection failure that it causes.
      throw signal?.aborted ? signal.reason : (readError ?? error);
    });
  const { status, headers } = response;
  return readEnvelope<Data>({ status, text: await response.text(), headers });
}
