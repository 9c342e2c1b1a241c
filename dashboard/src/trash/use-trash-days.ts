import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { holdall } from "../app/client.ts";

const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => holdall.settings.read({ signal }),
  staleTime: 60_000,
});

/** How many days deleted files are kept: 0 if the trash is off, undefined while unknown. */
export const useTrashDays = (): number | undefined => useQuery(settingsQuery).data?.trashDays.value;

/** The same for handlers, which can wait; undefined if the settings cannot be read. */
export const readTrashDays = (client: QueryClient): Promise<number | undefined> =>
  client.fetchQuery(settingsQuery).then(
    ({ trashDays }) => trashDays.value,
    () => undefined,
  );
