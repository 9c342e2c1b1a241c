import type { FileObject } from "../../../contract/api.ts";
import { pathOf } from "../connection/call.ts";
import { HoldallError, incomplete, isStatus } from "../connection/error.ts";
import type { Transport } from "../connection/transport.ts";
import { type SlicedSource, slicedSource } from "../files/sliced-source.ts";
import { type OnConflict, type UploadOptions, upload } from "../files/upload.ts";
import { type Named, nameOf } from "../files/upload-source.ts";
import { withAttempts } from "./attempts.ts";
import { isTooLongForProxy } from "./chunk-pace.ts";
import { fetchUpload } from "./fetch-upload.ts";
import { requireChunkSize } from "./require-chunk-size.ts";
import { type ResumableOptions, uploadResumable } from "./resumable-upload.ts";

export interface UploadFileOptions extends UploadOptions, ResumableOptions {
  /**
   * Files with more bytes go over several requests, except streams, which can be read only once.
   * Default: 16 MiB.
   */
  readonly resumableAbove?: number | undefined;
}

export const RESUMABLE_ABOVE = 16 * 1024 * 1024;

/**
 * Uploads a file, in one request or in several. undefined: the name is taken, and `onConflict` is
 * "skip". 409: the name is taken.
 */
export async function uploadFile(
  transport: Transport,
  named: Named,
  options: UploadFileOptions,
): Promise<FileObject | undefined> {
  const { resumableAbove = RESUMABLE_ABOVE, onConflict } = options;
  requireChunkSize(options);
  const source = await slicedSource(named);
  if (source && source.size > resumableAbove) {
    return sendLarge(transport, named, source, options);
  }
  try {
    const [file] = await upload(transport, [named], options);
    return orSkipped(file, onConflict);
  } catch (error) {
    if (!source || !isTooLongForProxy(error)) throw error;
    return sendLarge(transport, named, source, options);
  }
}

async function sendLarge(
  transport: Transport,
  { sha256 }: Named,
  source: SlicedSource,
  options: UploadFileOptions,
): Promise<FileObject | undefined> {
  const { folder, visibility, expiresIn, metadata, onConflict, signal } = options;
  const body = {
    name: nameOf(source.name),
    size: source.size,
    contentType: source.type,
    folder,
    visibility,
    fileExpiresIn: expiresIn,
    metadata,
    onConflict,
    sha256,
  };
  try {
    const request = { path: pathOf("createUpload"), body };
    const { url } = await uploadResumable(transport, request, source, options);
    // The upload URL shows its complete file also to keys that cannot list files.
    const shown = await withAttempts(options, () =>
      fetchUpload(transport.anonymous(), url, { signal }),
    );
    return orSkipped(shown.file ?? undefined, onConflict);
  } catch (error) {
    throw asFormFailure(error);
  }
}

/** Only a skipped file is missing in a successful response. */
function orSkipped(
  file: FileObject | undefined,
  onConflict: OnConflict | undefined,
): FileObject | undefined {
  if (file || onConflict === "skip") return file;
  throw incomplete();
}

/** tus clients repeat a request after 409, so the server says 422 for what is 409 or 400 for forms. */
function asFormFailure(error: unknown): unknown {
  if (!isStatus(error, 422)) return error;
  const status = error.code === "digest_mismatch" ? 400 : 409;
  return new HoldallError(status, error.message, { ...error, cause: error });
}
