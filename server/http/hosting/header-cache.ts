import type { FileRecord } from "../../domain/records.ts";
import {
  type DeliveryOptions,
  type DeliveryRequest,
  planDelivery,
} from "../../semantics/plan-delivery.ts";
import { hasDisposition, type Sendable } from "./send-file.ts";

/** How a whole file is sent. Shared: do not modify. */
export type CachedPlan = Omit<Sendable, "slice">;

interface CacheEntry {
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  readonly disposition: DeliveryOptions["disposition"];
  readonly cacheMaxAge: number;
  readonly urlKind: DeliveryOptions["urlKind"];
  readonly endsIn: DeliveryOptions["endsIn"];
  plan: CachedPlan;
}

/**
 * `planDelivery` for requests without a range and without `If-Match` or `If-Unmodified-Since`.
 * Equal requests for the same record get the same plan, so the cache keeps the last plan of each
 * record: one for requests with a condition and one for requests without.
 */
export function createHeaderCache(): (
  request: DeliveryRequest,
  file: FileRecord,
  options: DeliveryOptions,
) => CachedPlan {
  const unconditional = new WeakMap<FileRecord, CacheEntry>();
  const conditional = new WeakMap<FileRecord, CacheEntry>();

  return (request, file, options) => {
    const { disposition, cacheMaxAge, urlKind, endsIn } = options;
    const { ifNoneMatch, ifModifiedSince } = request;
    const cache = ifNoneMatch === null && ifModifiedSince === null ? unconditional : conditional;
    const last = cache.get(file);
    if (
      last !== undefined &&
      last.ifNoneMatch === ifNoneMatch &&
      last.ifModifiedSince === ifModifiedSince &&
      last.disposition === disposition &&
      last.cacheMaxAge === cacheMaxAge &&
      last.urlKind === urlKind &&
      last.endsIn === endsIn
    ) {
      last.plan = withHead(last.plan);
      return last.plan;
    }
    const { status, headers } = planDelivery(request, file, options);
    const plan = { status, headers, isComplete: hasDisposition({ headers }) };
    cache.set(file, {
      ifNoneMatch,
      ifModifiedSince,
      disposition,
      cacheMaxAge,
      urlKind,
      endsIn,
      plan,
    });
    return plan;
  };
}

/** From the second use on: making one takes longer than sending fields once. */
function withHead(plan: CachedPlan): CachedPlan {
  if (plan.head !== undefined) return plan;
  const head = new Response(null, plan);
  return { ...plan, headers: head.headers, head };
}
