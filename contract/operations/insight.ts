import { z } from "zod";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import * as queries from "../queries.ts";

/** What has happened, and what there is. */
export const insightOperations = {
  listActivity: {
    id: "listActivity",
    method: "GET",
    path: "/api/activity",
    tag: "Insight",
    summary: "List what was done, and what was refused",
    description:
      "Newest first: uploads, changes, deletions, signed URLs, API keys, sign-ins, settings, with who did it and from where; refusals as well. It is a second or so behind, and kept for `ACTIVITY_RETENTION_DAYS`.",
    access: "caller",
    budget: "api",
    query: queries.activityQuery,
    answer: {
      data: z.object({
        activity: z.array(objects.activityObject),
        nextCursor: z.string().nullable().meta({
          description: "Where the next page begins; `null`: there is none.",
          example: null,
        }),
      }),
    },
    errors: { 400: "A parameter that is out of its range or malformed." },
  },
} as const satisfies Record<string, Operation>;
