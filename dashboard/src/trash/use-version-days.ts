import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../app/session/settings-query.ts";

/** How many days replaced content is kept as a version: 0 if it is not, undefined while unknown. */
export function useVersionDays(): number | undefined {
  const { data } = useQuery(settingsQuery);
  return data ? (data.keepVersions.value ? data.trashDays.value : 0) : undefined;
}
