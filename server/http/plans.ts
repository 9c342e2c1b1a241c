import { type DeliveryOptions, type DeliveryRequest, planDelivery } from "../rules/delivery.ts";
import type { FileRecord } from "../rules/records.ts";

/** How a file is sent to whoever asks for the whole of it. Not to be changed. */
export interface Plan {
  readonly status: number;
  readonly headers: Headers;
}

interface Asked {
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  readonly disposition: DeliveryOptions["disposition"];
  readonly cacheMaxAge: number;
  readonly plan: Plan;
}

/**
 * `planDelivery` for requests without a range and with no more conditions than caches and browsers
 * send. To the same question about the same record it has the same answer, so the last one is kept
 * with the record, for those with a condition and for those without.
 */
export function createPlans(): (
  request: DeliveryRequest,
  file: FileRecord,
  options: DeliveryOptions,
) => Plan {
  const plain = new WeakMap<FileRecord, Asked>();
  const conditional = new WeakMap<FileRecord, Asked>();

  return (request, file, { disposition, cacheMaxAge }) => {
    const { ifNoneMatch, ifModifiedSince } = request;
    const kept = ifNoneMatch === null && ifModifiedSince === null ? plain : conditional;
    const last = kept.get(file);
    if (
      last !== undefined &&
      last.ifNoneMatch === ifNoneMatch &&
      last.ifModifiedSince === ifModifiedSince &&
      last.disposition === disposition &&
      last.cacheMaxAge === cacheMaxAge
    ) {
      return last.plan;
    }
    const { status, headers } = planDelivery(request, file, { disposition, cacheMaxAge });
    const plan = { status, headers: new Headers(headers) };
    kept.set(file, { ifNoneMatch, ifModifiedSince, disposition, cacheMaxAge, plan });
    return plan;
  };
}
