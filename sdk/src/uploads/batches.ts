import type {
  BatchMember,
  BatchObject,
  FileMetadata,
  UploadObject,
  Visibility,
} from "../../../contract/api.ts";
import { call, type Data } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import { type OnConflict, type Progress, sendFiles } from "../files/upload.ts";
import { type Named, named, type Source } from "../files/upload-source.ts";
import { withAttempts } from "./attempts.ts";
import { requireUrl } from "./require-url.ts";
import type { BatchUploadOptions } from "./uploads.ts";

export interface CreateBatchOptions extends CallOptions {
  /** The folder for all files of the batch. Default: the root, or the folder of the API key. */
  readonly folder?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Seconds until its files end, from when they appear. null: never. */
  readonly fileExpiresIn?: number | null | undefined;
  /** The action for names that are taken when the batch is committed. Default: refuse, with 409. */
  readonly onConflict?: OnConflict | undefined;
}

export interface AddToBatchOptions extends CallOptions {
  /** Relative to the folder of the batch. */
  readonly folder?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly metadata?: FileMetadata | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * A batch with its content: `members` are the complete files, empty once the batch is committed; `uploads`
 * are not complete.
 */
export type BatchContent = Data<"showBatch">;

/**
 * Files that appear together, in one transaction. `url` is the batch URL, which needs no other
 * credentials. Every method throws a `HoldallError` if the request fails; 404: the URL is unknown or the
 * batch was dropped, 410: it has expired. TypeError: `url` is not a batch URL of this server.
 * `files.uploadFolder` does all of it.
 */
export interface Batches {
  /** `url` in the result is absolute. It cannot be read again. */
  create(options?: CreateBatchOptions): Promise<{ batch: BatchObject; url: string }>;
  show(url: string, options?: CallOptions): Promise<BatchContent>;
  /** Adds files in one request: all or none. 409: a file is in the batch already. */
  add(
    url: string,
    files: readonly (Source | Named)[],
    options?: AddToBatchOptions,
  ): Promise<{ batch: BatchObject; members: BatchMember[] }>;
  /** Creates an upload URL for one large file: see `uploads.send`. `folder` is relative to the batch's. */
  createUpload(url: string, options: BatchUploadOptions): Promise<UploadObject>;
  /**
   * Makes all files visible. Repeats it after interruptions, because it may be sent again. 409: a name
   * is taken, or an upload is not complete; nothing was changed.
   */
  commit(url: string, options?: CallOptions): Promise<BatchObject>;
  /** Removes the batch with everything in it. The files of a committed batch stay. */
  drop(url: string, options?: CallOptions): Promise<void>;
}

export function createBatches(transport: Transport): Batches {
  const anonymous = transport.anonymous();
  const own = (url: string): string => requireUrl(transport, "batches", url);
  return {
    async create({ signal, ...body } = {}) {
      return transport.withAbsoluteUrl(await call(transport, "createBatch", { body, signal }));
    },
    show: async (url, { signal } = {}) => call(anonymous, "showBatch", { url: own(url), signal }),
    add: async (url, files, options = {}) =>
      sendFiles<"addToBatch">(anonymous, `${own(url)}/files`, files.map(named), options),
    async createUpload(url, { signal, ...body }) {
      const request = { url: `${own(url)}/uploads`, body, signal };
      const { upload } = await call(anonymous, "createBatchUpload", request);
      return transport.withAbsoluteUrl(upload);
    },
    commit: (url, { signal } = {}) =>
      withAttempts({ signal }, async () => {
        const request = { url: `${own(url)}/commit`, signal, retries: 0 };
        return (await call(anonymous, "commitBatch", request)).batch;
      }),
    async drop(url, { signal } = {}) {
      await call(anonymous, "dropBatch", { url: own(url), signal });
    },
  };
}
