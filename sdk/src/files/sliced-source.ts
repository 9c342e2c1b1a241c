import { HoldallError } from "../connection/error.ts";
import { openLocalFile } from "./local-file.ts";
import { blobOf, isLocal, type Named, type Source } from "./upload-source.ts";

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
  const { content } = named;
  return content instanceof ReadableStream ? undefined : sliced(content, named);
}

/** HoldallError: it is a stream. */
export async function requireSliced(named: Named): Promise<SlicedSource> {
  const source = await slicedSource(named);
  if (source) return source;
  const subject = named.name ?? "The content";
  throw new HoldallError(400, `${subject} is a stream: give a Blob, bytes or \`file(path)\`.`);
}

/** Content with the name and the type that are given, or its own. */
export async function sliced(
  content: Exclude<Source, ReadableStream>,
  { name, type }: Pick<Named, "name" | "type">,
): Promise<SlicedSource> {
  if (isLocal(content)) {
    const file = await openLocalFile(content.path);
    return { ...file, name: name ?? file.name, type };
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
