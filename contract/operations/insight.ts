import { z } from "zod";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";
import * as queries from "../queries.ts";

/** What has happened, and what there is. */
export const insightOperations = {
  overview: {
    id: "overview",
    method: "GET",
    path: "/api/overview",
    tag: "Insight",
    summary: "Show what there is and how it is used",
    description:
      "Counts by kind of file are exact for a small instance; for one of a million files they may be a minute old. Traffic is that of hosting URLs and downloads.",
    access: "caller",
    budget: "api",
    query: queries.overviewQuery,
    answer: { data: objects.overviewObject },
    errors: { 400: "An unknown period." },
  },
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
