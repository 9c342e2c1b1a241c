import { queryOptions } from "@tanstack/react-query";
import { quotasOf } from "../../../sdk/src/quotas.ts";
import { holdall } from "../app/connection/client.ts";

export const quotasKey = ["quotas"] as const;

/** All quotas that the account sees. */
export const quotasQuery = queryOptions({
  queryKey: quotasKey,
  queryFn: ({ signal }) => quotasOf(holdall).list(undefined, { signal }),
  staleTime: 10_000,
});
