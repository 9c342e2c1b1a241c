import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  createUploadQueue,
  type UploadActions,
  type UploadQueueOptions,
  type UploadQueueState,
} from "./upload-queue.ts";

// biome-ignore lint/performance/noBarrelFile: this is the entry `@holdall/react`.
export { HoldallError } from "../../sdk/src/upload-only.ts";
export type { FileChoice, FileToUpload } from "./files-in.ts";
export type {
  UploadActions,
  UploadItem,
  UploadProgress,
  UploadQueueOptions,
  UploadQueueState,
  UploadStatus,
} from "./upload-queue.ts";

export type Uploads = UploadQueueState & UploadActions;

/**
 * Uploads from a component: the chosen files, how far they are, and what can be done with them. Files are sent
 * while the component is mounted. The page has no API key: `request` asks a route of the app for upload URLs.
 */
export function useUploads(options: UploadQueueOptions): Uploads {
  const [queue] = useState(createUploadQueue);
  const { items, progress } = useSyncExternalStore(queue.subscribe, queue.state, queue.state);
  // Functions that are written in the component are new in every render.
  useEffect(() => queue.configure(options));
  useEffect(() => queue.start(), [queue]);
  return useMemo(() => {
    const { add, pause, resume, retry, cancel, clear } = queue;
    return { items, progress, add, pause, resume, retry, cancel, clear };
  }, [queue, items, progress]);
}
