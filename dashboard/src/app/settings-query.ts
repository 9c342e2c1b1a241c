import { queryOptions } from "@tanstack/react-query";
import { holdall } from "./client.ts";

/** The settings of the instance, for what depends on them. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => holdall.settings.read({ signal }),
  staleTime: 60_000,
});
