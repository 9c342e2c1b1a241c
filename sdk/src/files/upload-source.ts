import { HoldallError } from "../connection/error.ts";

/**
 * Content to upload: a `File` or other `Blob`, bytes, a stream of bytes or, on runtimes with a file
 * system, `file("path")`. Blobs, files and streams are not buffered.
 */
export type Source = Blob | Uint8Array | ReadableStream<Uint8Array> | LocalSource;

/** A file of the file system. */
export interface LocalSource {
  readonly path: string;
}

/** The content of a local file, which is opened when it is sent. */
export const file = (path: string): LocalSource => ({ path });

/** Whether the content is a local file. TypeError: it is a string. */
export function isLocal(content: Source): content is LocalSource {
  if (typeof content === "string") {
    throw new TypeError(
      'A string is not content: use `file("path")` for a local file, and a Blob for text.',
    );
  }
  return "path" in content && !(content instanceof Blob);
}

/** Bytes as a blob. */
export const blobOf = (content: Blob | Uint8Array): Blob =>
  content instanceof Blob ? content : new Blob([new Uint8Array(content)]);

export interface Named {
  readonly content: Source;
  /** The name of the stored file. Default: the name of the `File` or path; otherwise required. */
  readonly name?: string | undefined;
  /** Media type, if the name's extension does not determine it. Default: the `Blob`'s type. */
  readonly type?: string | undefined;
  /** Size in bytes of a stream, if known. */
  readonly size?: number | undefined;
  /** The expected SHA-256 in hexadecimal. If the server receives something else, it stores nothing: 400. */
  readonly sha256?: string | undefined;
}

/** Throws if the content has no name. */
export function nameOf(name: string | undefined): string {
  if (name) return name;
  throw new HoldallError(400, "The upload needs a file name: set `name`.");
}

export const named = (file: Source | Named): Named =>
  typeof file === "object" && "content" in file ? file : { content: file };
