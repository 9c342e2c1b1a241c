import type { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import { headOf } from "../../semantics/s3-signature/request-head.ts";
import { isPostForm, isSigned } from "../../semantics/s3-signature/verify-signature.ts";
import { newRequestId } from "../connection/request-id.ts";
import { guarded, type Route, type Server } from "../connection/route.ts";
import { createCors, isS3Preflight } from "./cors.ts";
import { minioHealth } from "./minio-health.ts";
import { createRunS3 } from "./run-s3.ts";
import type { S3Deps } from "./s3-deps.ts";
import { errorResponse, internalError, s3FaultOf } from "./s3-response.ts";
import { bucketIn, isS3Host, readTarget } from "./s3-target.ts";

export interface S3Site {
  /** The response to a request of the S3 API; undefined: the request is for another part of the site. */
  serve(request: Request, server: Server): Promise<Response> | undefined;
  /** As `serve`, for paths of no other part, where also forms may be of the S3 API. */
  serveUnrouted(request: Request, server: Server): Promise<Response> | undefined;
  /** Serves a port on which every request is of the S3 API, or one of MinIO's health checks. */
  serveAll(request: Request, server: Server): Promise<Response>;
}

const REQUEST_ID = "x-amz-request-id";

/** Serves the S3 API on every path of the site. */
export function createS3Site(deps: S3Deps): S3Site {
  const { domain } = deps;
  const respond = createRespond(deps);
  const isS3 = (request: Request): boolean => {
    if (domain !== null && isS3Host(request.headers.get("host"), domain)) return true;
    if (request.method !== "OPTIONS") return isSigned(request);
    const { path, query } = headOf(request);
    return isS3Preflight(request, path, query);
  };

  return {
    serve: (request, server) => (isS3(request) ? respond(request, server) : undefined),
    serveUnrouted: (request, server) =>
      isS3(request) || isPostForm(request) ? respond(request, server) : undefined,
    serveAll(request, server) {
      const health = isSigned(request)
        ? undefined
        : minioHealth(headOf(request).path, request.method, deps.isReady);
      return health ?? respond(request, server);
    },
  };
}

type Respond = (request: Request, server: Server) => Promise<Response>;

function createRespond(deps: S3Deps): Respond {
  /** Requests that read an object, which traffic counts. */
  const deliveries = new WeakSet<Request>();
  const run = createRunS3(deps, deliveries);
  const cors = createCors(deps.objects, deps.corsByDefault);
  const publicHost = deps.publicUrl === null ? undefined : new URL(deps.publicUrl).host;

  /**
   * The host that a signature may be for instead of the one in the request. A host that names a bucket is
   * part of what was signed, so nothing takes its place.
   */
  const publicHostOf = ({ headers }: Request): string | undefined =>
    deps.domain !== null && isS3Host(headers.get("host"), deps.domain) ? undefined : publicHost;

  const hostBucketOf = ({ headers }: Request): string | undefined =>
    deps.domain === null ? undefined : bucketIn(headers.get("host"), deps.domain);

  /** undefined: the request is not about one. */
  function bucketOf(request: Request): string | undefined {
    try {
      return readTarget(headOf(request).path, request.headers.get("host"), deps.domain).bucket;
    } catch {
      return undefined;
    }
  }

  const render = (fault: Fault, request: Request, requestId: string): Response =>
    errorResponse(s3FaultOf(fault), {
      requestId,
      isHead: request.method === "HEAD",
      resource: headOf(request).path,
    });

  const respond = guarded<Request>(
    {
      onError: deps.onError,
      keyMeter: deps.keyMeter,
      gate: { admit: deps.gate.admit, requestIdOf: newRequestId },
      watchReader(request) {
        // The answers to PUT and DELETE are short.
        if (request.method === "GET" || request.method === "POST") deps.watchReader(request);
      },
    },
    {
      budget: "s3",
      idHeader: REQUEST_ID,
      async serve(request, server, requestId) {
        if (request.method === "OPTIONS") return cors.preflight(request, bucketOf(request));
        if (request.headers.has("origin")) {
          await cors.rejectUnknownPage(request, bucketOf(request));
        }
        const head = headOf(request, publicHostOf(request), hostBucketOf(request));
        return run({ request, server, requestId: requestId(), head });
      },
      meter: (status, request) => {
        if (deliveries.has(request)) deps.meter(status);
      },
      render: {
        fault: render,
        unexpected: (request, requestId) => render(internalError(), request, requestId),
        malformed: ({ message }, request, requestId) =>
          render(new S3Fault("InvalidRequest", message), request, requestId),
      },
    },
  );

  return async (request, server) => {
    deps.noteOperation(request, "s3");
    const response = await respond(request, server);
    // A page must be able to read why a request was refused, and a fault here must not replace that.
    if (request.method !== "OPTIONS" && request.headers.has("origin")) {
      await cors
        .allow(request, bucketOf(request), response)
        .catch((error: unknown) => deps.onError(error, response.headers.get(REQUEST_ID) ?? ""));
    }
    for (const [name, value] of Object.entries(fileHeaders)) response.headers.set(name, value);
    return response;
  };
}

/** Sends S3 requests to the S3 handler before routing: a bucket may have any name, also that of a route. */
export function withS3(s3: S3Site, routes: Readonly<Record<string, Route>>): Record<string, Route> {
  const wrapped: Record<string, Route> = {};
  for (const [path, route] of Object.entries(routes)) {
    wrapped[path] = (request, server) => s3.serve(request, server) ?? route(request, server);
  }
  return wrapped;
}

type GetRoute = (request: Request) => Response | Promise<Response>;
type GetRouteWithS3 = (request: Request, server: Server) => Response | Promise<Response>;

/** As `withS3`, for routes of GET alone. */
export function withS3Gets(
  s3: S3Site,
  routes: Readonly<Record<string, { readonly GET: GetRoute }>>,
): Record<string, { GET: GetRouteWithS3 }> {
  const wrapped: Record<string, { GET: GetRouteWithS3 }> = {};
  for (const [path, { GET }] of Object.entries(routes)) {
    wrapped[path] = { GET: (request, server) => s3.serve(request, server) ?? GET(request) };
  }
  return wrapped;
}
