import { isText } from "../../../contract/text/charset.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { endsIn } from "../../domain/lifetime.ts";
import type { FileRecord, Millis } from "../../domain/records.ts";
import type { FindCharset } from "../../files/charsets.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import {
  type Delivery,
  type DeliveryRequest,
  planDelivery,
  type UrlKind,
} from "../../semantics/plan-delivery.ts";
import { failure } from "../connection/reply.ts";
import { createHeaderCache } from "./header-cache.ts";
import type { PresignedRedirect } from "./presigned-redirect.ts";
import type { SendDeps, SendFile } from "./send-file.ts";

export type Deliver = (
  file: FileRecord,
  request: Request,
  disposition: "inline" | "attachment",
  urlKind?: UrlKind,
) => MaybePromise<Response>;

export interface DeliveryDeps {
  readonly send: SendFile;
  readonly findCharset: FindCharset;
  /** Called for each successful response without a body; `send` calls it for the others. */
  readonly onSend: SendDeps["onSend"];
  /** The current setting, in seconds. */
  readonly cacheMaxAge: () => number;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
  /** null: this server sends the bytes itself. */
  readonly presignedRedirect: PresignedRedirect | null;
}

/**
 * Responds with a file, a range of it, or 304, 412 or 416 (RFC 9110, sections 13 and 14).
 * Fault "not_found": its blob is missing.
 */
export function createDeliver(deps: DeliveryDeps): Deliver {
  const { send, findCharset, onSend, cacheMaxAge, presignedRedirect, now } = deps;
  const cachedPlan = createHeaderCache();

  const deliver: Deliver = (file, request, disposition, urlKind) => {
    if (file.charset === null && isText(file.mimeType)) {
      return chain(findCharset(file), (known) => deliver(known, request, disposition, urlKind));
    }
    const again = (current: FileRecord): MaybePromise<Response> =>
      deliver(current, request, disposition, afterReplacement(urlKind));
    const conditions = conditionsOf(request, file);
    const options = { disposition, cacheMaxAge: cacheMaxAge(), urlKind, endsIn: endsIn(file, now) };
    if (presignedRedirect === null && isCacheable(conditions)) {
      const plan = cachedPlan(conditions, file, options);
      if (plan.status === 304) {
        onSend(0, request, file);
        return new Response(null, plan);
      }
      return send(file, plan, request, again);
    }
    const mayRedirect =
      presignedRedirect !== null && request.method === "GET" && !isConditional(conditions);
    if (mayRedirect && conditions.range === null) {
      onSend(0, request, file);
      return presignedRedirect(
        file,
        options,
        () => planDelivery(conditions, file, options).headers,
      );
    }
    const plan = planDelivery(conditions, file, options);
    const withoutContent = respondWithoutContent(plan, file.size);
    if (withoutContent !== undefined) {
      if (plan.status === 304) onSend(0, request, file);
      return withoutContent;
    }
    if (mayRedirect) {
      onSend(0, request, file);
      return presignedRedirect(file, options, () => plan.headers);
    }
    return send(file, plan, request, again);
  };

  return deliver;
}

/** Once the file has been replaced, a lasting URL names content that is gone, so no cache may keep the other. */
export const afterReplacement = (urlKind: UrlKind | undefined): UrlKind | undefined =>
  urlKind === "lasting" ? undefined : urlKind;

/** The response to a plan for 304, 412 or 416; undefined: the plan is to send `size` bytes or a part. */
export function respondWithoutContent(plan: Delivery, size: number): Response | undefined {
  if (plan.status === 304) return new Response(null, plan);
  if (plan.status === 412) {
    const fault = new Fault(
      "precondition_failed",
      "The file has changed: it does not match If-Match or If-Unmodified-Since.",
    );
    return failure(fault, plan.headers);
  }
  if (plan.status !== 416) return undefined;
  const fault = new Fault(
    "range_not_satisfiable",
    `The range starts past the end of the file, which has ${size} bytes.`,
  );
  return failure(fault, plan.headers);
}

export function conditionsOf(
  { method, headers }: Request,
  { visibility }: FileRecord,
): DeliveryRequest {
  // Means something for GET only (RFC 9110, section 14.2).
  const range = method === "GET" ? headers.get("range") : null;
  return {
    range,
    ifMatch: headers.get("if-match"),
    ifUnmodifiedSince: headers.get("if-unmodified-since"),
    ifNoneMatch: headers.get("if-none-match"),
    ifModifiedSince: headers.get("if-modified-since"),
    // Means something with a range only (RFC 9110, section 13.1.5).
    ifRange: range === null ? null : headers.get("if-range"),
    wantReprDigest: visibility === "public" ? null : headers.get("want-repr-digest"),
  };
}

/** The request is for the whole file, with no conditions but those that the header cache knows. */
const isCacheable = (request: DeliveryRequest): boolean =>
  request.range === null &&
  request.ifMatch === null &&
  request.ifUnmodifiedSince === null &&
  request.wantReprDigest === null;

/**
 * A client would repeat its conditions at the store, whose validators differ from ours, so such
 * requests are not redirected. A range may be repeated.
 */
function isConditional(request: DeliveryRequest): boolean {
  const { range, wantReprDigest, ...conditions } = request;
  return Object.values(conditions).some((condition) => condition !== null);
}
