import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followChanges } from "../../../app/connection/change-stream.ts";
import { can } from "../../../rights/rights.ts";
import { applyChanges } from "./apply-changes.ts";
import { refreshFolders } from "./patch-folders.ts";

/** Keeps the lists up to date with changes made elsewhere. Without a connection they stay as they are. */
export function useLiveChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!can("list")) return undefined;
    return followChanges({
      onChanges: (changes) => void applyChanges(client, changes).catch(() => undefined),
      onGap: () => void refreshFolders(client).catch(() => undefined),
    });
  }, [client]);
}
