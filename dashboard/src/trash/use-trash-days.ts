import { type QueryClient, useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../app/session/settings-query.ts";

/** How many days deleted files are kept: 0 if the trash is off, undefined while unknown. */
export const useTrashDays = (): number | undefined => useQuery(settingsQuery).data?.trashDays.value;

/** Reads the days for handlers, which can wait; undefined if the settings cannot be read. */
export const readTrashDays = (client: QueryClient): Promise<number | undefined> =>
  client.fetchQuery(settingsQuery).then(
    (settings) => settings?.trashDays.value,
    () => undefined,
  );
