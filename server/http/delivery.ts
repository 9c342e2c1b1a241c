import type { ReadBytes } from "../files/read.ts";
import { type DeliveryRequest, fileHeaders, planDelivery } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";
import type { Slice } from "../rules/range.ts";
import type { FileRecord } from "../rules/records.ts";
import { holdWhole, mayHoldWhole } from "./hold-whole.ts";
import { createPlans } from "./plans.ts";
import { failure, type HeaderFields } from "./reply.ts";

export type Deliver = (
  file: FileRecord,
  request: Request,
  disposition: "inline" | "attachment",
) => MaybePromise<Response>;

/** An address that gives the bytes of a file to anyone for a moment, with these headers. */
export type PresignedRedirect = (file: FileRecord, headers: HeaderFields) => Promise<string>;

export interface DeliveryParts {
  readonly readBytes: ReadBytes;
  /** In seconds, as it is now. */
  readonly cacheMaxAge: () => number;
  /** Hears of the bytes. */
  readonly sending: (bytes: number) => void;
  /** Where whoever asks for bytes is sent on to; null: they are sent from here. */
  readonly presignedRedirect: PresignedRedirect | null;
  /** How many requests have no whole answer yet. */
  readonly requestsUnderWay: () => number;
}

/**
 * Sends a file: whole, in part, or not at all when the client has it (RFC 9110, sections 13 and
 * 14). Fault "not_found": its bytes are gone.
 */
export function createDeliver(parts: DeliveryParts): Deliver {
  const { readBytes, cacheMaxAge, sending, presignedRedirect, requestsUnderWay } = parts;
  const planWhole = createPlans();

  const deliver: Deliver = (file, request, disposition) => {
    const asked = conditionsOf(request);
    const options = { disposition, cacheMaxAge: cacheMaxAge() };
    if (presignedRedirect === null && isUsual(asked)) {
      const plan = planWhole(asked, file, options);
      if (plan.status === 304) return new Response(null, plan);
      return send(file, plan, request, disposition);
    }
    const plan = planDelivery(asked, file, options);
    if (plan.status === 304) return new Response(null, plan);
    if (plan.status === 412) {
      const fault = new Fault(
        "precondition_failed",
        "The file is not the one that If-Match or If-Unmodified-Since names.",
      );
      return failure(fault, plan.headers);
    }
    if (plan.status === 416) {
      const fault = new Fault(
        "range_not_satisfiable",
        `The range starts past the end of the file.`,
      );
      return failure(fault, plan.headers);
    }
    if (presignedRedirect !== null && request.method === "GET" && !isConditional(asked)) {
      return presignedRedirect(file, plan.headers).then((link) => redirectTo(link, plan.headers));
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
    // Without a body, all that is asked of the bytes is whether they are there.
    const wanted = isHead && file.size > 0 ? FIRST_BYTE : slice;
    return chain(readBytes(file, wanted), (read) => {
      if ("replacedBy" in read) return deliver(read.replacedBy, request, disposition);
      if (isHead) return withoutBody(read.body, plan);
      const length = slice === undefined ? file.size : slice.end - slice.start;
      return chain(wholeOf(read.body, length), (body) => {
        sending(length);
        if (plan.status === 200 && runtimeMightServe(request.headers.get("range"))) {
          return new Response(asStream(body), plan);
        }
        return new Response(body, plan);
      });
    });
  }

  function wholeOf(body: Body, length: number): MaybePromise<Body> {
    if (body instanceof Blob || !mayHoldWhole(length, requestsUnderWay())) return body;
    return holdWhole(body, length);
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
  const done = body instanceof Blob ? undefined : body.cancel();
  return chain(done, () => new Response(null, plan));
}

function conditionsOf({ headers }: Request): DeliveryRequest {
  return {
    range: headers.get("range"),
    ifMatch: headers.get("if-match"),
    ifUnmodifiedSince: headers.get("if-unmodified-since"),
    ifNoneMatch: headers.get("if-none-match"),
    ifModifiedSince: headers.get("if-modified-since"),
    ifRange: headers.get("if-range"),
  };
}

/** The whole file is asked for, with no more conditions than caches and browsers send. */
const isUsual = ({ range, ifMatch, ifUnmodifiedSince }: DeliveryRequest): boolean =>
  range === null && ifMatch === null && ifUnmodifiedSince === null;

const FIRST_BYTE = { start: 0, end: 1 };

/**
 * Conditions are about our validators, and the client would repeat them where others count. A range
 * alone it may repeat.
 */
function isConditional({ range: _, ...conditions }: DeliveryRequest): boolean {
  return Object.values(conditions).some((condition) => condition !== null);
}

/** The address ends soon, so that nobody may keep the answer. */
function redirectTo(location: string, planned: HeaderFields): Response {
  const origin = planned["Access-Control-Allow-Origin"];
  return new Response(null, {
    status: 302,
    headers: {
      ...fileHeaders,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      ...(origin === undefined ? {} : { "Access-Control-Allow-Origin": origin }),
      Location: location,
    },
  });
}

/**
 * The runtime answers a range on a whole file by itself, and it allows white space that RFC 9110
 * does not. Such a header is malformed, so the whole file must be sent: as a stream, which the
 * runtime leaves alone.
 */
const runtimeMightServe = (range: string | null): boolean =>
  range !== null && /\s/.test(range.trim());

function asStream(body: Body): ReadableStream<Uint8Array> {
  const source = body instanceof Blob ? body.stream() : body;
  return source.pipeThrough(new TransformStream());
}
