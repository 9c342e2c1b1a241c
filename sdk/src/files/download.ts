import { HoldallError } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import { sha256Of } from "./sha256-of.ts";

/** The bytes from `start` to `end`, both inclusive, or the `last` bytes. */
export type Range =
  | { readonly start: number; readonly end?: number | undefined }
  | { readonly last: number };

export interface DownloadOptions extends CallOptions {
  /** Only this part of the file. An end past the last byte is clamped. */
  readonly range?: Range | undefined;
  /** An `etag`: the whole file is sent instead of `range` if the file has changed since then. */
  readonly ifRange?: string | undefined;
  /** Asks for `sha256` of private files too. */
  readonly wantDigest?: boolean | undefined;
}

export interface Download {
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes in `body`. 0: also if the server did not say, as for large files in an S3 store. */
  readonly size: number;
  /** Media type of the file. */
  readonly type: string;
  /** The range, both ends inclusive, and the size of the file; undefined for the whole file. */
  readonly range:
    | { readonly start: number; readonly end: number; readonly size: number }
    | undefined;
  /** Changes with the content. Private files have none. */
  readonly etag: string | undefined;
  /** SHA-256 of the whole file in hexadecimal, if the server sent it. */
  readonly sha256: string | undefined;
  /** The response, for its headers, `text()` and `blob()`. Shares `body`. */
  readonly response: Response;
}

/** Opens a file as a stream. `send` sends the request with the given headers. */
export async function downloadFrom(
  send: (headers: Record<string, string>) => Promise<Response>,
  { range, ifRange, wantDigest }: DownloadOptions,
): Promise<Download> {
  const response = await send({
    ...(range === undefined ? {} : { Range: rangeHeader(range) }),
    ...(ifRange === undefined ? {} : { "If-Range": ifRange }),
    ...(wantDigest ? { "Want-Repr-Digest": "sha-256=1" } : {}),
  });
  return {
    body: response.body ?? new Blob().stream(),
    size: Number(response.headers.get("content-length") ?? 0),
    type: response.headers.get("content-type") ?? "application/octet-stream",
    range: contentRange(response.headers.get("content-range")),
    etag: response.headers.get("etag") ?? undefined,
    sha256: sha256Of(response.headers.get("repr-digest")),
    response,
  };
}

function rangeHeader(range: Range): string {
  const numbers = "last" in range ? [range.last] : [range.start, range.end ?? range.start];
  const isValid = numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!isValid || ("start" in range && (range.end ?? range.start) < range.start)) {
    throw new HoldallError(
      400,
      "A range has whole numbers from 0 on, and ends no earlier than it starts.",
    );
  }
  return "last" in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end ?? ""}`;
}

function contentRange(header: string | null): Download["range"] {
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? "") ?? [];
  return size === undefined
    ? undefined
    : { start: Number(start), end: Number(end), size: Number(size) };
}

export interface ZipDownload {
  readonly body: ReadableStream<Uint8Array>;
  /** Bytes in `body`. */
  readonly size: number;
  /** The file name that the server suggests. */
  readonly name: string;
  /** The response, for its headers. Shares `body`. */
  readonly response: Response;
}

/** A zip that the server generates while it is read. Reading `body` fails if the zip is incomplete. */
export function zipOf(response: Response): ZipDownload {
  return {
    body: response.body ?? new Blob().stream(),
    size: Number(response.headers.get("x-archive-size") ?? 0),
    name: fileName(response.headers.get("content-disposition")),
    response,
  };
}

/** The UTF-8 name in `Content-Disposition`. */
function fileName(header: string | null): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(header ?? "") ?? [];
  return encoded === undefined ? "files.zip" : decodeURIComponent(encoded);
}
