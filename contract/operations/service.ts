import { z } from "zod";
import { defineOperation } from "../define-operation.ts";

/** Health, readiness and the API's description. */
export const serviceOperations = {
  health: defineOperation({
    id: "health",
    method: "GET",
    path: "/api/health",
    tag: "Service",
    ignoresUnknown: true,
    summary: "Check that the service runs",
    description:
      "Answers as long as the process runs, whatever the state of the catalog and the storage: see `/api/health/ready` for that.",
    access: "anyone",
    permission: "none",
    budget: "api",
    response: {
      data: z.object({
        message: z.string().meta({
          description: "A notice that names the service.",
          example: "Holdall is running.",
        }),
      }),
    },
    errors: {},
    audit: null,
    example: { sdk: `const message = await holdall.health();` },
  }),
  ready: defineOperation({
    id: "ready",
    method: "GET",
    path: "/api/health/ready",
    tag: "Service",
    summary: "Check that the service can handle requests",
    description:
      "Checks the database, the file storage and the connection to Redis. For load balancers: on 503, send requests to another server. Responds within a few seconds; a result is reused for one second.",
    access: "anyone",
    permission: "none",
    budget: "api",
    response: {
      data: z.object({
        ready: z.literal(true),
        degraded: z.string().optional().meta({
          description: "What is unavailable although requests are served. Omitted if nothing is.",
        }),
      }),
    },
    errors: {
      503: "The database or the file storage cannot be used, or the server is stopping; the message says which.",
    },
    audit: null,
    example: { curl: [{ options: ["--fail"] }], sdk: `await holdall.ready();` },
  }),
  openapi: defineOperation({
    id: "openapi",
    method: "GET",
    path: "/api/openapi.json",
    tag: "Service",
    summary: "Get this description as OpenAPI 3.1",
    description: "The same document is public at `/openapi.json`.",
    access: "caller",
    permission: "any key",
    budget: "api",
    response: { document: "application/json" },
    errors: {},
    audit: null,
    example: {
      curl: [{ options: ["-o openapi.json"] }],
      sdk: `const document = await holdall.openapi();`,
    },
  }),
};
