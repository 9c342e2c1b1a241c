import type { ActivityObject, ActivityParameters } from "../../contract/types/activity.ts";
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
  /** Deletes the entries from before a time, or all, and returns their number. */
  clear(
    input: { readonly before: Date | string } | { readonly all: true },
    options?: CallOptions,
  ): Promise<number>;
}

export function createActivity(transport: Transport): Activity {
  return {
    list: ({ signal, ...query } = {}) =>
      transport.json<ActivityPage>({ method: "GET", path: "/api/activity", query, signal }),
    async clear(input, { signal } = {}) {
      const body = "all" in input ? { all: input.all } : { before: textOf(input.before) };
      const call = { method: "DELETE", path: "/api/activity", body, signal } as const;
      return (await transport.json<{ deleted: number }>(call)).deleted;
    },
  };
}

const textOf = (time: Date | string): string =>
  typeof time === "string" ? time : time.toISOString();
