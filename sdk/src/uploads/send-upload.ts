import { HoldallError } from "../connection/error.ts";
import type { Transport } from "../connection/transport.ts";
import type { SlicedSource } from "../files/sliced-source.ts";
import type { Progress } from "../files/upload.ts";
import { type AttemptOptions, createAttempts } from "./attempts.ts";
import { createChunkPace, isTooLongForProxy } from "./chunk-pace.ts";
import { sendChunk } from "./send-chunk.ts";
import { encodeMetadata } from "./tus-metadata.ts";
import {
  fetchUploadState,
  readUploadState,
  TUS_HEADERS,
  type UploadedFile,
  type UploadState,
} from "./upload-url.ts";

export interface SendOptions extends AttemptOptions {
  /**
   * Bytes per request. Default: 8 MiB, and up to 64 MiB while requests take less than two seconds. Less if a
   * proxy refuses requests of this size (413).
   */
  readonly chunkSize?: number | undefined;
  /** `loaded` goes back after an interruption to what the server has stored. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The bytes that the server has, and the size of the file if it knows that. */
export type Position = Pick<UploadState, "offset" | "size">;

/**
 * Sends the missing bytes of an upload until it is complete, and continues after interruptions where
 * the server's bytes end. `position`: of an upload that was created just now. Returns its file;
 * undefined: it belongs to a batch, or its name was taken and it was skipped. Throws when the server
 * refuses it, or after too many attempts without progress.
 */
export async function sendUpload(
  transport: Transport,
  url: string,
  source: SlicedSource,
  options: SendOptions,
  position?: Position,
): Promise<UploadedFile | undefined> {
  const { onProgress, signal } = options;
  const report = (loaded: number): void => onProgress?.({ loaded, total: source.size });
  // 409: another offset.
  const attempts = createAttempts(options, [409]);
  const pace = createChunkPace(options.chunkSize);
  let known = position;
  let reached = known?.offset ?? 0;
  let length = 0;

  /** The state after the next request. */
  async function step(): Promise<UploadState> {
    if (!known) {
      const state = await fetchUploadState(transport, url, { signal, retries: 0 });
      if (state.isComplete) return state;
      requireSize(state, source);
      known = state;
    }
    report(known.offset);
    const startedAt = performance.now();
    const end = Math.min(source.size, known.offset + pace.size());
    length = end - known.offset;
    const state = await sendChunkTo(end, transport, url, source, known, options);
    pace.stored(performance.now() - startedAt);
    return state;
  }

  for (;;) {
    try {
      const state = await step();
      if (state.isComplete) {
        report(source.size);
        return state.file;
      }
      if (state.offset > reached) attempts.reset();
      reached = Math.max(reached, state.offset);
      known = { offset: state.offset, size: source.size };
    } catch (error) {
      if (known && known.offset > reached) {
        reached = known.offset;
        attempts.reset();
      }
      known = undefined;
      if (isTooLongForProxy(error) && pace.tooLong(length)) continue;
      pace.interrupted();
      await attempts.waitAfter(error);
    }
  }
}

async function sendChunkTo(
  end: number,
  transport: Transport,
  url: string,
  source: SlicedSource,
  { offset, size }: Position,
  { onProgress, signal }: SendOptions,
): Promise<UploadState> {
  const headers = await sendChunk(transport, {
    url,
    headers: {
      ...TUS_HEADERS,
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
      "Upload-Length": size === undefined ? String(source.size) : undefined,
      // The name and the type of the file, for an upload that was created without them.
      "Upload-Metadata": offset === 0 ? metadataOf(source) : undefined,
    },
    body: source.slice(offset, end),
    length: end - offset,
    onSent: (bytes) => onProgress?.({ loaded: offset + bytes, total: source.size }),
    signal,
  });
  const state = readUploadState(headers);
  // Otherwise the same bytes would be sent forever.
  if (!state.isComplete && state.offset <= offset && source.size > offset) {
    throw new HoldallError(0, "The server stored no bytes of the request.");
  }
  return state;
}

const metadataOf = ({ name, type }: SlicedSource): string | undefined =>
  name ? encodeMetadata({ filename: name, filetype: type }) : undefined;

function requireSize({ size }: UploadState, source: SlicedSource): void {
  if (size === undefined || size === source.size) return;
  throw new HoldallError(
    400,
    `The upload is for a file of ${size} bytes, but ${source.name ?? "the content"} has ${source.size}.`,
  );
}
