import type { ReadBytes } from "../files/read.ts";
import { fileHeaders, planDelivery } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import type { FileRecord } from "../rules/records.ts";
import { failure, type HeaderFields } from "./reply.ts";

export type Deliver = (
  file: FileRecord,
  request: Request,
  disposition: "inline" | "attachment",
) => Promise<Response>;

/** An address that gives the bytes of a file to anyone for a moment, with these headers. */
export type LinkToBytes = (file: FileRecord, headers: HeaderFields) => Promise<string>;

/**
 * Sends a file: whole, in part, or not at all when the client has it (RFC 9110, sections 13 and
 * 14). Fault "missing": its bytes are gone. `cacheMaxAge` in seconds, as it is now;
 * `sending` hears of the bytes. With `linkToBytes` whoever asks for bytes is sent on to there.
 */
export function createDeliver(
  readBytes: ReadBytes,
  cacheMaxAge: () => number,
  sending: (bytes: number) => void,
  linkToBytes: LinkToBytes | null = null,
): Deliver {
  const deliver: Deliver = async (file, request, disposition) => {
    const { headers, method } = request;
    const range = headers.get("range");
    const plan = planDelivery(
      {
        range,
        ifMatch: headers.get("if-match"),
        ifUnmodifiedSince: headers.get("if-unmodified-since"),
        ifNoneMatch: headers.get("if-none-match"),
        ifModifiedSince: headers.get("if-modified-since"),
        ifRange: headers.get("if-range"),
      },
      file,
      { disposition, cacheMaxAge: cacheMaxAge() },
    );
    if (plan.status === 304) return new Response(null, plan);
    if (plan.status === 412) {
      const fault = new Fault(
        "outdated",
        "The file is not the one that If-Match or If-Unmodified-Since names.",
      );
      return failure(fault, plan.headers);
    }
    if (plan.status === 416) {
      const fault = new Fault("unsatisfiable", `The range starts past the end of the file.`);
      return failure(fault, plan.headers);
    }
    if (linkToBytes !== null && method === "GET" && !isConditional(headers)) {
      return sentOn(await linkToBytes(file, plan.headers), plan.headers);
    }
    const { slice } = plan;
    // Without a body, all that is asked of the bytes is whether they are there.
    const wanted = method === "HEAD" && file.size > 0 ? FIRST_BYTE : slice;
    const read = await readBytes(file, wanted);
    if ("replacedBy" in read) return deliver(read.replacedBy, request, disposition);
    const { body } = read;
    if (method === "HEAD") {
      if (!(body instanceof Blob)) await body.cancel();
      return new Response(null, plan);
    }
    sending(slice === undefined ? file.size : slice.end - slice.start);
    if (plan.status === 200 && range !== null && runtimeMightServe(range)) {
      return new Response(asStream(body), plan);
    }
    return new Response(body, plan);
  };
  return deliver;
}

const FIRST_BYTE = { start: 0, end: 1 };

/**
 * Conditions are about our validators, and the client would repeat them where others count. A range
 * alone it may repeat.
 */
const isConditional = (headers: Headers): boolean =>
  CONDITIONS.some((condition) => headers.has(condition));

const CONDITIONS = [
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
];

/** The address ends soon, so that nobody may keep the answer. */
function sentOn(location: string, planned: HeaderFields): Response {
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
const runtimeMightServe = (range: string): boolean => /\s/.test(range.trim());

function asStream(body: Blob | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const source = body instanceof Blob ? body.stream() : body;
  return source.pipeThrough(new TransformStream());
}
