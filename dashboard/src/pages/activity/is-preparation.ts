import type { ActivityObject } from "../../../../sdk/src/holdall.ts";

/** Whether an event only begins an upload, which has an event of its own when its files are there. */
export const isPreparation = ({ action, outcome }: ActivityObject): boolean =>
  outcome === "done" && (action === "createUpload" || action === "createBatch");
