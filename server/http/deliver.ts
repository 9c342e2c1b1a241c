import type { ReadBytes } from "../files/read.ts";
import { Fault } from "../rules/fault.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";
import { type DeliveryRequest, planDelivery } from "../rules/plan-delivery.ts";
import type { Slice } from "../rules/range.ts";
import type { FileRecord } from "../rules/records.ts";
import { bufferResponse, mayBuffer } from "./buffer-response.ts";
import { createHeaderCache } from "./header-cache.ts";
import type { PresignedRedirect } from "./presigned-redirect.ts";
import { failure } from "./reply.ts";

export type Deliver = (
  file: FileRecord,
  request: Request,
  disposition: "inline" | "attachment",
) => MaybePromise<Response>;

export interface DeliveryParts {
  readonly readBytes: ReadBytes;
  /** The current setting, in seconds. */
  readonly cacheMaxAge: () => number;
  /** Called with the length of every body. */
  readonly onSend: (bytes: number) => void;
  /** null: this server sends the bytes itself. */
  readonly presignedRedirect: PresignedRedirect | null;
  /** Requests whose response is not complete. */
  readonly pendingRequests: () => number;
}

/**
 * Responds with a file, a range of it, or 304, 412 or 416 (RFC 9110, sections 13 and 14).
 * Fault "not_found": its blob is missing.
 */
export function createDeliver(parts: DeliveryParts): Deliver {
  const { readBytes, cacheMaxAge, onSend, presignedRedirect, pendingRequests } = parts;
  const cachedPlan = createHeaderCache();

  const deliver: Deliver = (file, request, disposition) => {
    const conditions = conditionsOf(request, file);
    const options = { disposition, cacheMaxAge: cacheMaxAge() };
    if (presignedRedirect === null && isCacheable(conditions)) {
      const plan = cachedPlan(conditions, file, options);
      if (plan.status === 304) return new Response(null, plan);
      return send(file, plan, request, disposition);
    }
    const plan = planDelivery(conditions, file, options);
    if (plan.status === 304) return new Response(null, plan);
    if (plan.status === 412) {
      const fault = new Fault(
        "precondition_failed",
        "The file has changed: it does not match If-Match or If-Unmodified-Since.",
      );
      return failure(fault, plan.headers);
    }
    if (plan.status === 416) {
      const fault = new Fault(
        "range_not_satisfiable",
        `The range starts past the end of the file, which has ${file.size} bytes.`,
      );
      return failure(fault, plan.headers);
    }
    if (presignedRedirect !== null && request.method === "GET" && !isConditional(conditions)) {
      return presignedRedirect(file, plan.headers);
    }
    return send(file, plan, request, disposition);
  };

  function send(
    file: FileRecord,
    plan: Sendable,
    request: Request,
    disposition: "inline" | "attachment",
  ): MaybePromise<Response> {
    const { slice } = plan;
    const isHead = request.method === "HEAD";
    // HEAD needs to know only that the blob exists.
    const wanted = isHead && file.size > 0 ? FIRST_BYTE : slice;
    return chain(readBytes(file, wanted), (read) => {
      if ("replacedBy" in read) return deliver(read.replacedBy, request, disposition);
      if (isHead) return withoutBody(read.body, plan);
      const length = slice === undefined ? file.size : slice.end - slice.start;
      return chain(buffered(read.body, length), (body) => {
        onSend(length);
        if (plan.status === 200 && runtimeMightServe(request.headers.get("range"))) {
          return new Response(asStream(body), plan);
        }
        return new Response(body, plan);
      });
    });
  }

  function buffered(body: Body, length: number): MaybePromise<Body> {
    if (body instanceof Blob || !mayBuffer(length, pendingRequests())) return body;
    return bufferResponse(body, length);
  }

  return deliver;
}

type Body = Blob | ReadableStream<Uint8Array>;

interface Sendable {
  readonly status: number;
  readonly headers: Headers | Record<string, string>;
  readonly slice?: Slice;
}

function withoutBody(body: Body, plan: Sendable): MaybePromise<Response> {
  const cancelled = body instanceof Blob ? undefined : body.cancel();
  return chain(cancelled, () => new Response(null, plan));
}

function conditionsOf({ headers }: Request, { visibility }: FileRecord): DeliveryRequest {
  return {
    range: headers.get("range"),
    ifMatch: headers.get("if-match"),
    ifUnmodifiedSince: headers.get("if-unmodified-since"),
    ifNoneMatch: headers.get("if-none-match"),
    ifModifiedSince: headers.get("if-modified-since"),
    ifRange: headers.get("if-range"),
    wantReprDigest: visibility === "public" ? null : headers.get("want-repr-digest"),
  };
}

/** The request is for the whole file, with no conditions but those that the header cache knows. */
const isCacheable = (request: DeliveryRequest): boolean =>
  request.range === null &&
  request.ifMatch === null &&
  request.ifUnmodifiedSince === null &&
  request.wantReprDigest === null;

const FIRST_BYTE = { start: 0, end: 1 };

/**
 * A client would repeat its conditions at the store, whose validators differ from ours, so such
 * requests are not redirected. A range may be repeated.
 */
function isConditional(request: DeliveryRequest): boolean {
  const { range, wantReprDigest, ...conditions } = request;
  return Object.values(conditions).some((condition) => condition !== null);
}

/**
 * The runtime applies `Range` to a response with a file by itself, and accepts white space that
 * RFC 9110 does not allow. Such a header is malformed, so the whole file must be sent: as a stream,
 * to which the runtime applies no range.
 */
const runtimeMightServe = (range: string | null): boolean =>
  range !== null && /\s/.test(range.trim());

function asStream(body: Body): ReadableStream<Uint8Array> {
  const source = body instanceof Blob ? body.stream() : body;
  return source.pipeThrough(new TransformStream());
}
