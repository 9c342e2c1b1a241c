import type { Body, Data } from "../connection/call.ts";
import { isStatus, unless } from "../connection/error.ts";
import type { Transport } from "../connection/transport.ts";
import type { SlicedSource } from "../files/sliced-source.ts";
import { withAttempts } from "./attempts.ts";
import { type ResumeStore, resumeEntry } from "./resume-store.ts";
import { type Position, type SendOptions, sendUpload } from "./send-upload.ts";
import { cancelUpload, type UploadedFile } from "./upload-url.ts";

export interface ResumableOptions extends SendOptions {
  /**
   * The store that notes unfinished uploads, such as `localStorage`. An upload of the same file to the same
   * place then continues, also after an abort, a reload or in another process. A file is recognized by
   * its name, size and time of change. Without a store, an upload that fails or is aborted is cancelled.
   */
  readonly resume?: ResumeStore | undefined;
}

export interface ResumableUpload {
  /** The URL for creating it, and the request. */
  readonly path: string;
  readonly body: Body<"createUpload">;
}

/** An upload, and the bytes that remain to be sent. */
export interface Finished {
  readonly url: string;
  readonly file: UploadedFile | undefined;
}

/** Continues the noted upload of this content, or creates one, and sends it. */
export async function uploadResumable(
  transport: Transport,
  { path, body }: ResumableUpload,
  source: SlicedSource,
  options: ResumableOptions,
): Promise<Finished> {
  const { signal } = options;
  const anonymous = transport.anonymous();
  const { modified } = source;
  const identity =
    modified === undefined ? undefined : [transport.absoluteUrl(path), body, modified];
  const entry = resumeEntry(options.resume, identity);

  const noted = await entry?.read();
  if (noted) {
    // 404 and 410: the upload has ended or expired.
    const continued = await send(noted.url).catch(unless(404, 410));
    if (continued) return continued;
    await entry?.remove();
  }
  const { url, offset, size } = await withAttempts(options, async () => {
    const call = { method: "POST", path, body, signal } as const;
    const { upload } = await transport.json<Data<"createUpload">>(call);
    return transport.withAbsoluteUrl(upload);
  });
  await entry?.write({ url, at: Date.now() });
  return send(url, { offset, size: size ?? undefined });

  async function send(url: string, position?: Position): Promise<Finished> {
    try {
      const file = await sendUpload(anonymous, url, source, options, position);
      await entry?.remove();
      return { url, file };
    } catch (error) {
      // Nothing can continue the upload, so the server need not keep its bytes.
      if (!entry || isStatus(error, ...FINAL)) {
        await entry?.remove();
        const cancelling = { signal: AbortSignal.timeout(CANCEL_MS) };
        await cancelUpload(anonymous, url, cancelling).catch(() => {});
      }
      throw error;
    }
  }
}

const CANCEL_MS = 5_000;

/** The server refuses the file, so that it cannot be completed: 422 is a taken name or a wrong digest. */
const FINAL = [400, 404, 410, 413, 415, 422];
