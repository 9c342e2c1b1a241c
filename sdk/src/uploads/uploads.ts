import type { FileMetadata, UploadObject, Visibility } from "../../../contract/api.ts";
import { call, open } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import type { OnConflict } from "../files/upload.ts";
import type { Source } from "../files/upload-source.ts";
import { fetchUpload, type ShownUpload } from "./fetch-upload.ts";
import { requireUrl } from "./require-url.ts";
import { type SendContentOptions, sendContent } from "./upload-to.ts";
import {
  cancelUpload,
  fetchUploadState,
  type UploadedFile,
  type UploadState,
} from "./upload-url.ts";

export interface CreateUploadOptions extends CallOptions {
  /** Target folder. Missing folders are created. Default: the root, or the folder of the API key. */
  readonly folder?: string | undefined;
  /** Default: the sender names the file. */
  readonly name?: string | undefined;
  /** In bytes. Default: the sender says it. */
  readonly size?: number | undefined;
  /** In bytes. Default: the server's maximum. */
  readonly maxSize?: number | undefined;
  /** Allowed media types, such as `image/png` or `image/*`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** Media type of the file, if its name has no known extension. */
  readonly contentType?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** Seconds until the file ends, from when it appears. null: never. */
  readonly fileExpiresIn?: number | null | undefined;
  readonly metadata?: FileMetadata | undefined;
  /** The action if the name is taken when the file is complete. Default: refuse, with 422. */
  readonly onConflict?: OnConflict | undefined;
  /** The expected SHA-256 in hexadecimal. A file with another one is not stored. */
  readonly sha256?: string | undefined;
  /** Seconds until the upload expires if nothing arrives. Default: the server's default. */
  readonly expiresIn?: number | undefined;
}

/** The batch decides `onConflict`. */
export type BatchUploadOptions = Omit<CreateUploadOptions, "onConflict">;

/**
 * Upload URLs: with one, anyone can send one file, and continue after interruptions, without any other
 * credentials. Every method throws a `HoldallError` if the request fails; 404: the URL is unknown, the
 * upload has ended, or its API key was revoked. 410: it has expired. TypeError: `url` is not an upload
 * URL of this server; `uploadTo` takes upload URLs of every server.
 */
export interface Uploads {
  /** Creates an upload URL, for example for a browser. `url` in the result is absolute. */
  create(options?: CreateUploadOptions): Promise<UploadObject>;
  /** The upload and its limits; once it is complete, its file, unless it is in a batch or was skipped. */
  show(url: string, options?: CallOptions): Promise<ShownUpload>;
  /** How much has arrived, without the other fields. */
  state(url: string, options?: CallOptions): Promise<UploadState>;
  /**
   * Sends the content, or what is missing of it, until the upload is complete. Abort it to pause, and
   * call it again to continue. Returns the file; undefined: it belongs to a batch or was skipped. 422:
   * the name is taken.
   */
  send(
    url: string,
    content: Source,
    options?: SendContentOptions,
  ): Promise<UploadedFile | undefined>;
  /** Removes the upload and its bytes. The file of a complete upload stays. */
  cancel(url: string, options?: CallOptions): Promise<void>;
  /** The features of tus that the server supports. */
  features(options?: CallOptions): Promise<UploadFeatures>;
}

export interface UploadFeatures {
  readonly extensions: readonly string[];
  /** In bytes. */
  readonly maxSize: number | undefined;
}

export function createUploads(transport: Transport): Uploads {
  const anonymous = transport.anonymous();
  const own = (url: string): string => requireUrl(transport, "uploads", url);
  return {
    async create({ signal, ...body } = {}) {
      const { upload } = await call(transport, "createUpload", { body, signal });
      return transport.withAbsoluteUrl(upload);
    },
    show: async (url, { signal } = {}) => fetchUpload(anonymous, own(url), { signal }),
    state: async (url, { signal } = {}) => fetchUploadState(anonymous, own(url), { signal }),
    send: async (url, content, options = {}) => sendContent(anonymous, own(url), content, options),
    cancel: async (url, options = {}) => cancelUpload(anonymous, own(url), options),
    async features({ signal } = {}) {
      const { headers } = await open(transport, "tusFeatures", { signal });
      const maxSize = headers.get("tus-max-size");
      return {
        extensions: (headers.get("tus-extension") ?? "").trim().split(/\s*,\s*/),
        maxSize: maxSize ? Number(maxSize) : undefined,
      };
    },
  };
}
