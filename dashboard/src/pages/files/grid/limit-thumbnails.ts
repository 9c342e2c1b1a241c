import { createRequestLimiter } from "../data/request-limiter.ts";

/** Loads a few thumbnails at a time. */
export const limitThumbnails = createRequestLimiter({ concurrency: 3 });
