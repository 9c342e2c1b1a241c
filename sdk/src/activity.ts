import type { ActivityObject, ActivityParameters } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

export interface ActivityPage {
  /** Newest first. */
  readonly activity: ActivityObject[];
  /** null on the last page. */
  readonly nextCursor: string | null;
}

/** The audit log. Every method throws a `HoldallError` if the request fails. */
export interface Activity {
  list(options?: ActivityParameters & CallOptions): Promise<ActivityPage>;
}

export function createActivity(transport: Transport): Activity {
  return {
    list: ({ signal, ...query } = {}) =>
      transport.json<ActivityPage>({ method: "GET", path: "/api/activity", query, signal }),
  };
}
