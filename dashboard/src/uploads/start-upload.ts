import { createStore, useStore } from "../app/store.ts";
import { showErrorToast } from "../components/toast-store.ts";
import type { Source } from "./item.ts";

/* The entry point of uploads, part of every page. The upload engine is loaded with the first files. */

const hasStarted = createStore(false);

/** Whether this tab has started any upload; then the panel is shown. */
export const useUploadsStarted = (): boolean => useStore(hasStarted);

/** Uploads each batch as soon as it arrives. */
export async function startUpload(
  batches: AsyncIterable<readonly Source[]> | Iterable<readonly Source[]>,
): Promise<void> {
  try {
    const { uploads } = await import("./uploads.ts");
    hasStarted.set(true);
    for await (const batch of batches) uploads.add(batch);
  } catch (error) {
    showErrorToast(error);
  }
}
