import { queryOptions } from "@tanstack/react-query";
import { holdall } from "./client.ts";

/** The settings of the instance, for what depends on them. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => holdall.settings.read({ signal }),
  staleTime: 60_000,
  // Uploads read them, too, and keep their queue when the session has ended: the panel says so.
  meta: { handlesUnauthorized: true },
});
