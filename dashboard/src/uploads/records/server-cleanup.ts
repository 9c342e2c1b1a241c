import type { Holdall } from "../../../../sdk/src/holdall.ts";
import type { Item } from "../item.ts";
import type { Work } from "../work.ts";

/** Removes from the server what nobody will continue. If that fails, it expires there. */
export interface ServerCleanup {
  forget(items: readonly Item[]): void;
  dropGroup(id: number): void;
  /** Removes what the server has of all failed uploads. */
  forgetFailed(): void;
}

export function createServerCleanup(work: Work, client: Holdall): ServerCleanup {
  const cleanup: ServerCleanup = {
    forget(items) {
      for (const { url } of items) {
        if (url !== undefined) ignoreFailure(client.uploads.cancel(url));
      }
    },
    dropGroup(id) {
      for (const url of work.group(id)?.batches ?? []) ignoreFailure(client.batches.drop(url));
    },
    forgetFailed() {
      for (const { id, state } of work.groups) if (state === "failed") cleanup.dropGroup(id);
      cleanup.forget(work.items.filter(({ state }) => state === "failed"));
    },
  };
  return cleanup;
}

function ignoreFailure(work: Promise<unknown>): void {
  work.catch(() => {});
}
