import type { QueryClient } from "@tanstack/react-query";
import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { operate } from "../../../operations/operate.ts";
import type { Entry } from "../data/entry.ts";
import { patchFiles, refreshFolders } from "../data/patch-folders.ts";
import { changeAll } from "./change-all.ts";
import { failureOf, formatItems, quoteEntries } from "./describe-change.ts";

/** Sets the visibility of files, and of everything in folders. */
export async function setVisibility(
  client: QueryClient,
  entries: readonly Entry[],
  visibility: Visibility,
): Promise<void> {
  await operate(`Making ${quoteEntries(entries)} ${visibility}`, async (work) => {
    const { files, ...result } = await changeAll(work, entries, {
      change: { visibility },
      async changeFolder(id) {
        await holdallWithoutRetries.folders.setVisibility(id, visibility);
      },
    });
    patchFiles(client, files);
    const failure = failureOf(result, "changed");
    if (result.done === 0) return { failure };
    return { failure, text: `Made ${formatItems(result.done)} ${visibility}.` };
  });
  await refreshFolders(client);
}
