import type { ActivityObject, ActivityParameters } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

export interface ActivityPage {
  /** Newest first. */
  readonly activity: ActivityObject[];
  /** For the next page; null: there is none. */
  readonly nextCursor: string | null;
}

/** What was done on the server, and what it refused. Every method throws a `HoldallError` when the server says no. */
export interface Activity {
  list(options?: ActivityParameters & CallOptions): Promise<ActivityPage>;
}

export function createActivity(transport: Transport): Activity {
  return {
    list: ({ signal, ...query } = {}) =>
      transport.json<ActivityPage>({ method: "GET", path: "/api/activity", query, signal }),
  };
}
