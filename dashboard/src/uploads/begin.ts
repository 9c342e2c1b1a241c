import { useSyncExternalStore } from "react";
import { sayFailure } from "../components/toast-store.ts";
import type { Source } from "./item.ts";

/*
 * The way into uploading, which every page has from the beginning. What does it comes with the
 * first files.
 */

let wanted = false;
const listeners = new Set<() => void>();

/** Whether anything has been uploaded from this tab: then the panel is there. */
export function useUploadsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
  );
}

/** Uploads what comes, from the moment that it comes. */
export async function upload(
  batches: AsyncIterable<readonly Source[]> | Iterable<readonly Source[]>,
): Promise<void> {
  try {
    const { uploads } = await import("./uploads.ts");
    wanted = true;
    for (const listener of listeners) listener();
    for await (const batch of batches) uploads.add(batch);
  } catch (error) {
    sayFailure(error);
  }
}
