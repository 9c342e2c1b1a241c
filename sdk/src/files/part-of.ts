import { sliced } from "./sliced-source.ts";
import { type Named, nameOf } from "./upload-source.ts";

/** One file of an upload. */
export interface Part {
  readonly name: string;
  readonly type: string;
  /** undefined: unknown until the end. */
  readonly size: number | undefined;
  content(): Blob | ReadableStream<Uint8Array>;
}

/** Throws if the content has no name or the path cannot be opened. */
export async function partOf(named: Named): Promise<Part> {
  const { content } = named;
  const source =
    content instanceof ReadableStream
      ? { ...named, slice: () => content }
      : await sliced(content, named);
  const { name, type = "application/octet-stream", size } = source;
  return { name: nameOf(name), type, size, content: () => source.slice(0, size ?? 0) };
}
