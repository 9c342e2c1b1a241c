import { readStored } from "../app/local-storage.ts";
import { createStore, useStore } from "../app/store.ts";
import { showErrorToast } from "../components/toast-store.ts";
import type { Delivery } from "./choosing/file-sources.ts";
import { HAS_RECORDS } from "./records/has-records.ts";

/* The entry point of uploads, part of every page. The upload engine is loaded with the first files. */

const hasStarted = createStore(false);

/** Whether this tab has uploads, its own or interrupted ones; then the panel is shown. */
export const useUploadsStarted = (): boolean => useStore(hasStarted);

/** The same, for handlers. */
export const haveUploadsStarted = (): boolean => hasStarted.get();

/** Uploads dropped, picked or pasted files. */
export async function startUpload(delivery: Delivery): Promise<void> {
  try {
    const { deliver } = await import("./sending/deliver.ts");
    hasStarted.set(true);
    await deliver(delivery);
  } catch (error) {
    showErrorToast(error);
  }
}

/** Shows the uploads that a reload or a closed tab has interrupted, and continues what it can. */
export async function restoreUploads(): Promise<void> {
  if (readStored(HAS_RECORDS) === null) return;
  const { restored } = await import("./left-over.ts");
  hasStarted.set(true);
  await restored();
}
