import { HoldallError } from "./error.ts";
import { openLocalFile } from "./local-file.ts";

/**
 * What can be uploaded: a `File` or other `Blob`, bytes, a stream of bytes, or, where there is a
 * file system, the path of a file. Blobs, paths and streams are sent as they are read.
 */
export type Source = Blob | Uint8Array | ReadableStream<Uint8Array> | string;

export interface Named {
  readonly content: Source;
  /** The name to store it under. Default: that of the `File` or the path; else it must be given. */
  readonly name?: string | undefined;
  /** Media type for when the name's extension does not tell. Default: the `Blob`'s own. */
  readonly type?: string | undefined;
  /** In bytes, of a stream whose length is known beforehand. */
  readonly size?: number | undefined;
}

/** One file on its way. */
export interface Part {
  readonly name: string;
  readonly type: string;
  /** undefined: known at the end only. */
  readonly size: number | undefined;
  /** The content as a blob, when it is one: then it can be sent by any means. */
  readonly blob: Blob | undefined;
  stream(): ReadableStream<Uint8Array>;
}

const UNTYPED = "application/octet-stream";

/** What is to be sent for `upload`. Throws when it has no name, or the path cannot be opened. */
export async function partOf({ content, name, type, size }: Named): Promise<Part> {
  if (content instanceof ReadableStream) {
    return {
      name: nameOf(name),
      type: type ?? UNTYPED,
      size,
      blob: undefined,
      stream: () => content,
    };
  }
  if (typeof content === "string") {
    const file = await openLocalFile(content);
    return { ...file, name: name ?? file.name, type: type ?? UNTYPED, blob: undefined };
  }
  const blob = content instanceof Blob ? content : new Blob([new Uint8Array(content)]);
  return {
    name: nameOf(name ?? (blob instanceof File ? blob.name : undefined)),
    type: type ?? (blob.type || UNTYPED),
    size: blob.size,
    blob,
    stream: () => blob.stream(),
  };
}

function nameOf(name: string | undefined): string {
  if (name !== undefined && name !== "") return name;
  throw new HoldallError(400, "What is uploaded must have a name: give it as `name`.");
}
