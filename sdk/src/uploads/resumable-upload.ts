import type { Body, Data } from "../connection/call.ts";
import { isStatus } from "../connection/error.ts";
import type { Transport } from "../connection/transport.ts";
import { withAttempts } from "./attempts.ts";
import { type ResumeEntry, type ResumeStore, resumeEntry } from "./resume-store.ts";
import { type Position, type SendOptions, sendUpload } from "./send-upload.ts";
import type { SlicedSource } from "./sliced-source.ts";
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
  if (noted !== undefined) {
    const continued = await ifExists(() => send(noted.url));
    if (continued !== undefined) return continued;
    await entry?.remove();
  }
  const { url, offset, size } = await create();
  await entry?.write({ url, at: Date.now() });
  return send(url, { offset, size: size ?? undefined });

  function create(): Promise<Data<"createUpload">["upload"]> {
    return withAttempts(options, async () => {
      const call = { method: "POST", path, body, signal } as const;
      const { upload } = await transport.json<Data<"createUpload">>(call);
      return { ...upload, url: transport.absoluteUrl(upload.url) };
    });
  }

  async function send(url: string, position?: Position): Promise<Finished> {
    try {
      const file = await sendUpload(anonymous, url, source, options, position);
      await entry?.remove();
      return { url, file };
    } catch (error) {
      if (entry === undefined || isFinal(error)) await abandon(url, entry);
      throw error;
    }
  }

  /** Nothing can continue the upload, so the server need not keep its bytes. */
  async function abandon(url: string, noteOf: ResumeEntry | undefined): Promise<void> {
    await noteOf?.remove();
    await cancelUpload(anonymous, url, { signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => {});
  }
}

const CANCEL_MS = 5_000;

/** The server refuses the file, so that it cannot be completed: 422 is a taken name or a wrong digest. */
const FINAL = [400, 404, 410, 413, 415, 422];

const isFinal = (error: unknown): boolean => isStatus(error, ...FINAL);

/** undefined: the upload has ended or expired. */
async function ifExists(work: () => Promise<Finished>): Promise<Finished | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isStatus(error, 404, 410)) return undefined;
    throw error;
  }
}
