import { pathOf, type Query } from "../connection/call.ts";
import { HoldallError } from "../connection/error.ts";
import { matchOf } from "../connection/match-of.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
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

/** Opens the file of an operation as a stream. */
export async function downloadFrom<Id extends "readContent" | "downloadVersion">(
  transport: Transport,
  id: Id,
  query: Query<Id>,
  { range, ifRange, wantDigest, signal }: DownloadOptions = {},
): Promise<Download> {
  const headers = {
    Range: range && rangeHeader(range),
    "If-Range": ifRange,
    "Want-Repr-Digest": wantDigest ? "sha-256=1" : undefined,
  };
  const path = pathOf(id);
  const response = await transport.open({ method: "GET", path, query, headers, signal });
  return {
    body: response.body ?? new Blob().stream(),
    size: Number(response.headers.get("content-length")),
    type: response.headers.get("content-type") ?? "application/octet-stream",
    range: contentRange(response.headers.get("content-range")),
    etag: response.headers.get("etag") ?? undefined,
    sha256: sha256Of(response.headers.get("repr-digest")),
    response,
  };
}

function rangeHeader(range: Range): string {
  const { start, end = start, last = 0 } = { start: 0, last: undefined, end: undefined, ...range };
  const isValid = [start, end, last].every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!isValid || end < start) {
    throw new HoldallError(400, "A range has whole numbers, and does not end before it starts.");
  }
  return "last" in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end ?? ""}`;
}

function contentRange(header: string | null): Download["range"] {
  const [start, end, size] = matchOf(/^bytes (\d+)-(\d+)\/(\d+)$/, header);
  return size ? { start: Number(start), end: Number(end), size: Number(size) } : undefined;
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
    size: Number(response.headers.get("x-archive-size")),
    name: fileName(response.headers.get("content-disposition")),
    response,
  };
}

/** The UTF-8 name in `Content-Disposition`. */
function fileName(header: string | null): string {
  const [encoded] = matchOf(/filename\*=UTF-8''([^;]+)/, header);
  return encoded ? decodeURIComponent(encoded) : "files.zip";
}
