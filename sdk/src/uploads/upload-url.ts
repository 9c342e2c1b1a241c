import { HoldallError } from "../connection/error.ts";
import { matchOf } from "../connection/match-of.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Call, Transport } from "../connection/transport.ts";
import { sha256Of } from "../files/sha256-of.ts";

/** A complete file of an upload. */
export interface UploadedFile {
  readonly id: string;
  readonly key: string;
  /** Relative, as in file objects. */
  readonly url: string;
  /** SHA-256 in hexadecimal, if the server sent it. */
  readonly sha256: string | undefined;
  /** Private files have none. */
  readonly etag: string | undefined;
}

/** How much of an upload the server has. */
export interface UploadState {
  /** Bytes that are stored. They survive a power cut, and are never sent again. */
  readonly offset: number;
  /** undefined: not known yet. */
  readonly size: number | undefined;
  /** The file is complete and, unless it belongs to a batch, visible. */
  readonly isComplete: boolean;
  /** The file of a complete upload, unless it belongs to a batch or `onConflict: "skip"` skipped it. */
  readonly file: UploadedFile | undefined;
  /** undefined: a complete upload does not expire. */
  readonly expiresAt: Date | undefined;
}

/** Every request of tus 1.0.0 has it. */
export const TUS_HEADERS = { "Tus-Resumable": "1.0.0" };

/** Reads the headers of a successful response to HEAD or PATCH. Error: they do not describe an upload. */
export function readUploadState(headers: Headers): UploadState {
  const offset = numberIn(headers, "upload-offset");
  if (offset === undefined) {
    throw new HoldallError(
      0,
      "The response has no `Upload-Offset`: it is not an upload URL, or a proxy or CORS hides the header.",
    );
  }
  const size = numberIn(headers, "upload-length");
  const file = fileIn(headers);
  const expires = Date.parse(headers.get("upload-expires") ?? "");
  return {
    offset,
    size,
    isComplete: !!file || headers.get("upload-complete")?.trim() === "?1",
    file,
    expiresAt: Number.isNaN(expires) ? undefined : new Date(expires),
  };
}

/** Asks for the state of an upload. 404: unknown or ended. 410: expired. */
export async function fetchUploadState(
  transport: Transport,
  url: string,
  call: Pick<Call, "signal" | "retries">,
): Promise<UploadState> {
  const request = { method: "HEAD", path: url, headers: TUS_HEADERS, ...call } as const;
  const { headers } = await transport.open(request).catch((error: unknown) => {
    throw explain(error);
  });
  return readUploadState(headers);
}

/** Removes an upload and its bytes. The file of a complete upload stays. */
export async function cancelUpload(
  transport: Transport,
  url: string,
  { signal }: CallOptions,
): Promise<void> {
  await transport.open({ method: "DELETE", path: url, headers: TUS_HEADERS, signal });
}

/** Responses to HEAD have no body with a message. */
function explain(error: unknown): unknown {
  if (!(error instanceof HoldallError)) return error;
  const { status } = error;
  const message = {
    404: "The upload does not exist any more, or its URL is wrong.",
    410: "The upload has expired.",
  }[status];
  return message ? new HoldallError(status, message, error) : error;
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)?.trim() ?? "";
  return /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

function fileIn(headers: Headers): UploadedFile | undefined {
  const id = headers.get("holdall-file");
  const [path] = matchOf(/\/?(api\/hosting\/[^?#]+)/, headers.get("content-location"));
  if (!id || !path) return undefined;
  return {
    id,
    key: path.split("/").slice(2).map(decodeURIComponent).join("/"),
    url: path,
    sha256: sha256Of(headers.get("repr-digest")),
    etag: headers.get("etag") ?? undefined,
  };
}
