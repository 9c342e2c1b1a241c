import type { FileObject, Visibility } from "../../contract/types.ts";
import { readAnswer } from "./answer.ts";
import { encodeForm, type Form } from "./multipart.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";
import { hasFormRequests, sendForm } from "./upload-browser.ts";
import { type Named, partOf } from "./upload-source.ts";

export interface Progress {
  /** Bytes of content sent so far. */
  readonly loaded: number;
  /** Bytes of content in all; undefined when a stream's size is not known. */
  readonly total: number | undefined;
}

/**
 * - refuse: the upload fails with 409, and nothing is stored.
 * - replace: the file of that name gets the new content and keeps its id. A folder: 409.
 * - keepBoth: it is stored as "name (2).ext", the first number that is free.
 * - skip: it is left out, and not among the files that come back.
 */
export type OnConflict = "refuse" | "replace" | "keepBoth" | "skip";

export interface UploadOptions extends CallOptions {
  /** Target folder, such as `photos/2026`. Missing folders are created. Default: the root. */
  readonly folder?: string | undefined;
  /** For all files of the request. Default: the server's. */
  readonly visibility?: Visibility | undefined;
  /** What becomes of a file whose name is taken in the folder. Default: refuse. */
  readonly onConflict?: OnConflict | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const PATH = "/api/files";

/** Sends the files in one request, once: all of them appear, or none does. */
export async function upload(
  transport: Transport,
  files: readonly Named[],
  { folder, visibility, onConflict, onProgress, signal }: UploadOptions,
): Promise<FileObject[]> {
  signal?.throwIfAborted();
  const form: Form = {
    fields: {
      ...(folder === undefined ? {} : { folder }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(onConflict === undefined ? {} : { onConflict }),
    },
    files: await Promise.all(files.map(partOf)),
  };
  const total = totalOf(form);
  let loaded = 0;
  const onSent = (bytes: number) => {
    loaded += bytes;
    onProgress?.({ loaded, total });
  };
  if (hasFormRequests() && !transport.ownFetch) {
    const { address, credentials } = transport;
    return sendForm(form, { url: address(PATH), credentials, onSent, signal });
  }
  return stream(transport, form, onSent, signal);
}

function totalOf({ files }: Form): number | undefined {
  return files.every(({ size }) => size !== undefined)
    ? files.reduce((sum, { size }) => sum + (size ?? 0), 0)
    : undefined;
}

async function stream(
  transport: Transport,
  form: Form,
  onSent: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<FileObject[]> {
  let broken: unknown;
  const onBroken = (error: unknown) => {
    broken = error;
  };
  const { body, contentType, length } = encodeForm(form, { onSent, onBroken });
  const response = await transport
    .once(PATH, {
      method: "POST",
      headers: {
        "Content-Type": contentType,
        ...(length === undefined ? {} : { "Content-Length": String(length) }),
      },
      body,
      // To be able to follow a redirect, Node would keep a copy of all that has been sent.
      redirect: "error",
      // Required for streams by the Fetch standard.
      ...{ duplex: "half" },
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      // What went wrong with the source tells more than the connection that ended over it.
      throw signal?.aborted ? signal.reason : (broken ?? error);
    });
  const { files } = readAnswer<{ files: FileObject[] }>({
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get("retry-after"),
  });
  return files;
}
