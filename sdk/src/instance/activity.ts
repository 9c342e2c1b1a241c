import { call, type Data, lists, type Query } from "../connection/call.ts";
import { momentOf } from "../connection/moment-of.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

export type ActivityParameters = Query<"listActivity">;

/** `activity` has the newest first. */
export type ActivityPage = Data<"listActivity">;

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
    list: lists(transport, "listActivity"),
    async clear(input, { signal } = {}) {
      const body = "all" in input ? { all: input.all } : { before: momentOf(input.before) };
      return (await call(transport, "clearActivity", { body, signal })).deleted;
    },
  };
}
