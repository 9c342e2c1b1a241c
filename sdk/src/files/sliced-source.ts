import { openLocalFile } from "../files/local-file.ts";
import { blobOf, isLocal, type Named } from "../files/upload-source.ts";

/** Content that can be read from any offset, so that an upload of it can continue. */
export interface SlicedSource {
  /** undefined: the content has no name. */
  readonly name: string | undefined;
  /** undefined: unknown. */
  readonly type: string | undefined;
  readonly size: number;
  /** When it was last changed, in milliseconds since 1970; undefined: unknown. */
  readonly modified: number | undefined;
  /** The bytes from `start` to before `end`. */
  slice(start: number, end: number): Blob | ReadableStream<Uint8Array>;
}

/** undefined: a stream, which can be read only once. */
export async function slicedSource(named: Named): Promise<SlicedSource | undefined> {
  const { content, name, type } = named;
  if (content instanceof ReadableStream) return undefined;
  if (isLocal(content)) {
    const file = await openLocalFile(content.path);
    return { ...file, name: name ?? file.name, type, slice: file.stream };
  }
  const blob = blobOf(content);
  const file = blob instanceof File ? blob : undefined;
  return {
    name: name ?? file?.name,
    type: type ?? (blob.type || undefined),
    size: blob.size,
    modified: file?.lastModified,
    slice: (start, end) => blob.slice(start, end),
  };
}
