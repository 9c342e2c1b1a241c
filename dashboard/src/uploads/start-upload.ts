import { useSyncExternalStore } from "react";
import { showErrorToast } from "../components/toast-store.ts";
import type { Source } from "./item.ts";

/* The entry point of uploads, part of every page. The upload engine is loaded with the first files. */

let hasStarted = false;
const listeners = new Set<() => void>();

/** Whether this tab has started any upload; then the panel is shown. */
export function useUploadsStarted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasStarted,
  );
}

/** Uploads each batch as soon as it arrives. */
export async function startUpload(
  batches: AsyncIterable<readonly Source[]> | Iterable<readonly Source[]>,
): Promise<void> {
  try {
    const { uploads } = await import("./uploads.ts");
    hasStarted = true;
    for (const listener of listeners) listener();
    for await (const batch of batches) uploads.add(batch);
  } catch (error) {
    showErrorToast(error);
  }
}
