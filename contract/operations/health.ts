import { z } from "zod";
import { defineOperation } from "../define-operation.ts";
import { healthDetails, healthScrub } from "../objects/health.ts";

/** The state of the instance, for its operator. */
export const healthOperations = {
  healthDetails: defineOperation({
    id: "healthDetails",
    method: "GET",
    path: "/api/health/details",
    tag: "Service",
    summary: "Show the state of the instance",
    description:
      "Space, the last check of all files, the last `holdall verify` and `holdall backup`, and whether the database, the file storage and Redis respond. It reads no files. The longer the server takes to count them, the longer it reuses the counts, so it can be called often; everything else is reused for one second. While the database does not respond, the request itself fails.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: healthDetails },
    errors: {},
    audit: null,
    example: { sdk: `const { storage, scrub, backup } = await holdall.healthDetails();` },
  }),
  startScrub: defineOperation({
    id: "startScrub",
    method: "POST",
    path: "/api/health/scrub",
    tag: "Service",
    summary: "Check all files now",
    description:
      "Starts to read every file in the background and to compare it with its checksums, as the server does every `SCRUB_EVERY`. Does nothing if this server is checking them already. Servers that share a database do not know of each other's checks, and the last one to save its progress is shown: check on one of them only. `GET /api/health/details` shows the progress and the findings. With files on S3, the store may charge for the reads.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: z.object({ scrub: healthScrub }) },
    errors: {},
    audit: {},
    example: { sdk: `const { state } = await holdall.startScrub();` },
  }),
};
