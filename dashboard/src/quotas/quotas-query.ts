import { queryOptions } from "@tanstack/react-query";
import { holdall } from "../app/client.ts";

export const quotasKey = ["quotas"] as const;

/** All quotas that the account sees. */
export const quotasQuery = queryOptions({
  queryKey: quotasKey,
  queryFn: ({ signal }) => holdall.folders.quotas(undefined, { signal }),
  staleTime: 10_000,
});
