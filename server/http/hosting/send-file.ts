import type { BorrowedBody } from "../../blobs/port.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { BorrowBytes } from "../../files/read.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { Slice } from "../../semantics/parse-range.ts";
import { bufferResponse, mayBuffer } from "./buffer-response.ts";

/** A response with a file or a slice of it. */
export interface Sendable {
  readonly status: number;
  readonly headers: Headers | Record<string, string>;
  readonly slice?: Slice;
  /** The runtime would change nothing: the headers name the file, and the request has no range. Default: false. */
  readonly isComplete?: boolean;
  /** The status and the headers once more: from a response, the runtime copies them fastest. */
  readonly head?: Response;
}

export interface SendDeps {
  readonly borrowBytes: BorrowBytes;
  /** Called with the length of each body; 0 without one. */
  readonly onSend: (bytes: number, request: Request, file: FileRecord) => void;
  /** Requests whose response is not complete. */
  readonly pendingRequests: () => number;
}

/**
 * Sends the bytes of a plan. `again` responds with the record that has replaced the file meanwhile. Fault
 * "not_found": its blob is missing.
 */
export type SendFile = (
  file: FileRecord,
  plan: Sendable,
  request: Request,
  again: (replacement: FileRecord) => MaybePromise<Response>,
) => MaybePromise<Response>;

export function createSendFile({ borrowBytes, onSend, pendingRequests }: SendDeps): SendFile {
  function buffered(body: BorrowedBody, length: number): MaybePromise<BorrowedBody> {
    if (!(body instanceof ReadableStream) || !mayBuffer(length, pendingRequests())) return body;
    return bufferResponse(body, length);
  }

  return (file, plan, request, again) => {
    const { slice } = plan;
    const isHead = request.method === "HEAD";
    // HEAD needs to know only that the blob exists.
    const wanted = isHead && file.size > 0 ? FIRST_BYTE : slice;
    return chain(borrowBytes(file, wanted), (read) => {
      if ("replacedBy" in read) return again(read.replacedBy);
      if (isHead) {
        onSend(0, request, file);
        return withoutBody(read.body, plan);
      }
      const length = slice === undefined ? file.size : slice.end - slice.start;
      return chain(buffered(read.body, length), (body) => {
        onSend(length, request, file);
        const response = new Response(body, plan.head ?? plan);
        // The runtime changes only responses with a file, or with its content.
        if (plan.isComplete === true || !(body instanceof Blob)) return response;
        if (plan.status === 200 && length > 0 && runtimeMightServe(request.headers.get("range"))) {
          response.headers.set("Content-Range", `bytes 0-${length - 1}/${length}`);
        }
        if (!hasDisposition(plan)) response.headers.set(DISPOSITION, "");
        return response;
      });
    });
  };
}

/**
 * The runtime names a file that it sends without this header after its path, which is that of a blob. Without a
 * value, the header says nothing.
 */
const DISPOSITION = "Content-Disposition";

/** Looks at the plan, whose headers are shared: the runtime would create those of each response for the question. */
export function hasDisposition({ headers }: Pick<Sendable, "headers">): boolean {
  if (headers instanceof Headers) return headers.has(DISPOSITION);
  return Object.keys(headers).some((name) => name.toLowerCase() === "content-disposition");
}

const FIRST_BYTE = { start: 0, end: 1 };

function withoutBody(body: BorrowedBody, plan: Sendable): MaybePromise<Response> {
  const cancelled = body instanceof ReadableStream ? body.cancel() : undefined;
  return chain(cancelled, () => new Response(null, plan));
}

/**
 * The runtime applies `Range` to a response with a file by itself, and accepts white space that
 * RFC 9110 does not allow. Such a header is malformed, so the whole file must be sent. The runtime leaves
 * alone what has a `Content-Range`, which means nothing with status 200 (section 14.4).
 */
const runtimeMightServe = (range: string | null): boolean =>
  range !== null && /\s/.test(range.trim()) && /^\s*bytes\s*=/i.test(range);
