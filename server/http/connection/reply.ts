import type { ErrorCode } from "../../../contract/text/error-codes.ts";
import type { Details, Fault, FaultKind } from "../../domain/faults/fault.ts";
import { envelopeText, isListed, type ResponseData, streamEnvelope } from "./json-stream.ts";

const STATUS: Record<FaultKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  locked: 423,
  rate_limited: 429,
  checksum_mismatch: 460,
  unavailable: 503,
  no_space: 507,
  quota_exceeded: 507,
};

const JSON_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

export type HeaderFields = Readonly<Record<string, string>>;

/** In UTF-16 units. So much usually fits into the kernel's buffer, however slowly the client reads. */
const MAX_SMALL = 16 * 1024;
const smallReplies = new WeakSet<Response>();

/** Whether the response is an envelope that is complete as soon as it is sent, so that nobody has to watch its reader. */
export const isSmallReply = (response: Response): boolean => smallReplies.has(response);

function reply(body: string | ReadableStream<Uint8Array>, init: ResponseInit): Response {
  const response = new Response(body, init);
  if (typeof body === "string" && body.length <= MAX_SMALL) smallReplies.add(response);
  return response;
}

/** The success envelope. `pendingRequests`: as for `streamEnvelope`. */
export async function success(
  data: ResponseData,
  headers?: HeaderFields,
  status = 200,
  pendingRequests = 0,
): Promise<Response> {
  const fields = headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers };
  const body = isListed(data) ? await streamEnvelope(data, pendingRequests) : envelopeText(data);
  return reply(body, { status, headers: fields });
}

export const statusOf = (fault: Fault): number => STATUS[fault.kind];

/** The failure envelope with the status of the fault. */
export function failure(fault: Fault, headers?: HeaderFields): Response {
  const fields: Record<string, string> = { ...JSON_HEADERS, ...headers };
  if (fault.retryAfter !== undefined) fields["Retry-After"] = String(fault.retryAfter);
  return failureEnvelope(statusOf(fault), fault, fields);
}

/** A `failure` that is prepared once and sent many times. */
export function staticFailure(fault: Fault, headers?: HeaderFields): () => Response {
  const init = {
    status: statusOf(fault),
    headers: new Headers({ ...JSON_HEADERS, ...headers }),
  };
  const text = envelopeOf(fault);
  return () => new Response(text, init);
}

/** 405, with the methods that the path supports. */
export function methodNotAllowed(allowed: readonly string[], headers?: HeaderFields): Response {
  const methods = allowed.includes("GET") ? ["HEAD", ...allowed] : allowed;
  const Allow = [...new Set(methods)].sort().join(", ");
  const message = `Method not allowed: this path supports ${Allow}.`;
  const error = { code: "method_not_allowed", message } as const;
  return failureEnvelope(405, error, { ...JSON_HEADERS, ...headers, Allow });
}

/** Clients learn only this about an error that is not a fault. The log has the details. */
export const UNEXPECTED = { code: "unexpected", message: "Unexpected server error" } as const;

/** 500. */
export const unexpectedError = (headers?: HeaderFields): Response =>
  failureEnvelope(500, UNEXPECTED, { ...JSON_HEADERS, ...headers });

function failureEnvelope(status: number, error: ErrorParts, headers: HeaderFields): Response {
  return reply(envelopeOf(error), { status, headers });
}

interface ErrorParts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Details | undefined;
  readonly retryAfter?: number | undefined;
}

function envelopeOf({ code, message, details, retryAfter }: ErrorParts): string {
  const all = retryAfter === undefined ? details : { ...details, retryAfter };
  return JSON.stringify({ data: null, error: { code, message, details: all } });
}
