import { useEffect, useState } from "react";
import { isStatus } from "../../../app/connection/client.ts";
import type { FolderListing } from "./use-folder.ts";

/** Whether the folder does not exist. Stays true while the folder is requested again. */
export function useIsMissing({ error, folder }: FolderListing): boolean {
  const isRefused = isStatus(error, 404);
  const [wasRefused, setWasRefused] = useState(false);
  useEffect(() => {
    if (isRefused) setWasRefused(true);
    else if (folder !== undefined) setWasRefused(false);
  }, [isRefused, folder]);
  return isRefused || (wasRefused && folder === undefined);
}
