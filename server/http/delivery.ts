import type { ReadBytes } from "../files/read.ts";
import { planDelivery } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import type { FileRecord } from "../rules/records.ts";
import { failure } from "./reply.ts";

export type Deliver = (
  file: FileRecord,
  request: Request,
  disposition: "inline" | "attachment",
) => Promise<Response>;

/**
 * Sends a file: whole, in part, or not at all when the client has it (RFC 9110, sections 13 and
 * 14). Fault "missing": its bytes are gone. `cacheMaxAge` in seconds, as it is now;
 * `sending` hears of the bytes.
 */
export function createDeliver(
  readBytes: ReadBytes,
  cacheMaxAge: () => number,
  sending: (bytes: number) => void,
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
    const read = await readBytes(file, plan.slice);
    if ("replacedBy" in read) return deliver(read.replacedBy, request, disposition);
    const { body } = read;
    const { slice } = plan;
    if (method !== "HEAD") sending(slice === undefined ? file.size : slice.end - slice.start);
    if (plan.status === 200 && range !== null && runtimeMightServe(range)) {
      return new Response(asStream(body), plan);
    }
    return new Response(body, plan);
  };
  return deliver;
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
