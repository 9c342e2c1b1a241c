import { queryOptions } from "@tanstack/react-query";
import type { SettingsObject } from "../../../../sdk/src/holdall.ts";
import { can } from "../../rights/rights.ts";
import { holdall } from "../connection/client.ts";

/** The settings of the instance, for what depends on them. null: they are not for members. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }): Promise<SettingsObject | null> =>
    can("admin") ? holdall.settings.read({ signal }) : Promise.resolve(null),
  staleTime: 60_000,
});
