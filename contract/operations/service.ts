import { z } from "zod";
import type { Operation } from "../operation.ts";

/** The service itself. */
export const serviceOperations = {
  health: {
    id: "health",
    method: "GET",
    path: "/api/health",
    tag: "Service",
    summary: "Whether the service runs",
    access: "anyone",
    budget: "api",
    answer: {
      data: z.object({
        message: z.string().meta({
          description: "A notice that names the service.",
          example: "Holdall is running.",
        }),
      }),
    },
    errors: {},
  },
  ready: {
    id: "ready",
    method: "GET",
    path: "/api/health/ready",
    tag: "Service",
    summary: "Whether requests can be served",
    description:
      "Asks the catalog and the store of the bytes, and looks at the connection to Redis. For load balancers: with 503, send requests elsewhere. It answers within a few seconds, and what it has seen holds for a second.",
    access: "anyone",
    budget: "api",
    answer: {
      data: z.object({
        ready: z.literal(true),
        degraded: z.string().optional().meta({
          description: "What is missing that requests are served without. Left out: nothing.",
        }),
      }),
    },
    errors: {
      503: "The catalog or the store of the bytes does not answer, or Redis has not since the start; the message says which.",
    },
  },
  openapi: {
    id: "openapi",
    method: "GET",
    path: "/api/openapi.json",
    tag: "Service",
    summary: "This description, as OpenAPI 3.1",
    description: "The same document is at `/openapi.json` for everyone.",
    access: "caller",
    budget: "api",
    answer: { document: "application/json" },
    errors: {},
  },
} as const satisfies Record<string, Operation>;
