import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import { hasEvidence, isPostForm } from "../../semantics/s3-signature/evidence.ts";
import { headOf } from "../../semantics/s3-signature/request-head.ts";
import { pauseIdleTimer } from "../connection/pause-idle-timer.ts";
import { newRequestId } from "../connection/request-id.ts";
import type { Route, Server } from "../connection/route.ts";
import { validateFraming } from "../connection/validate-framing.ts";
import { createCors, isS3Preflight } from "./cors.ts";
import { minioHealth } from "./minio-health.ts";
import { createRunS3 } from "./run-s3.ts";
import type { S3Deps } from "./s3-deps.ts";
import { errorResponse, internalError, s3FaultFrom } from "./s3-response.ts";
import { bucketIn, isS3Host, readTarget } from "./s3-target.ts";

export interface S3Site {
  /** The response to a request of the S3 API; undefined: the request is for another part of the site. */
  serve(request: Request, server: Server): Promise<Response> | undefined;
  /** As `serve`, for paths of no other part, where also forms may be of the S3 API. */
  serveUnrouted(request: Request, server: Server): Promise<Response> | undefined;
  /** Serves a port on which every request is of the S3 API, or one of MinIO's health checks. */
  serveAll(request: Request, server: Server): Promise<Response>;
}

/** Serves the S3 API on every path of the site. */
export function createS3Site(deps: S3Deps): S3Site {
  const { domain } = deps;
  const respond = createRespond(deps);
  const isS3 = (request: Request): boolean => {
    if (domain !== null && isS3Host(request.headers.get("host"), domain)) return true;
    if (request.method !== "OPTIONS") return hasEvidence(request);
    const { path, query } = headOf(request);
    return isS3Preflight(request, path, query);
  };

  return {
    serve: (request, server) => (isS3(request) ? respond(request, server) : undefined),
    serveUnrouted: (request, server) =>
      isS3(request) || isPostForm(request) ? respond(request, server) : undefined,
    serveAll(request, server) {
      const health = hasEvidence(request)
        ? undefined
        : minioHealth(headOf(request).path, request.method, deps.isReady);
      return health ?? respond(request, server);
    },
  };
}

type Respond = (request: Request, server: Server) => Promise<Response>;

function createRespond(deps: S3Deps): Respond {
  const run = createRunS3(deps);
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
  function bucketOf({ headers }: Request, path: string): string | undefined {
    try {
      return readTarget(path, headers.get("host"), deps.domain).bucket;
    } catch {
      return undefined;
    }
  }

  return async (request, server) => {
    const requestId = newRequestId();
    deps.noteOperation(request, "s3");
    const head = headOf(request, publicHostOf(request), hostBucketOf(request));
    const resume = pauseIdleTimer(request, server);
    let response: Response;
    try {
      const malformed = validateFraming(request);
      if (malformed !== undefined) throw new S3Fault("InvalidRequest", malformed.message);
      await deps.gate.admit(request, server, "s3");
      const bucket = bucketOf(request, head.path);
      if (request.method === "OPTIONS") {
        response = await cors.preflight(request, bucket);
      } else {
        await cors.rejectUnknownPage(request, bucket);
        response = await run({ request, server, requestId, head });
      }
    } catch (error) {
      const known = s3FaultFrom(error);
      if (known === undefined) deps.onError(error, requestId);
      const isHead = request.method === "HEAD";
      response = errorResponse(known ?? internalError(), {
        requestId,
        isHead,
        resource: head.path,
      });
    }
    // A page must be able to read why a request was refused, and a fault here must not replace that.
    if (request.method !== "OPTIONS" && request.headers.has("origin")) {
      await cors
        .allow(request, bucketOf(request, head.path), response)
        .catch((error: unknown) => deps.onError(error, requestId));
    }
    resume();
    // The answers to PUT and DELETE are short.
    if (request.method === "GET" || request.method === "POST") deps.watchReader(request);
    deps.keyMeter(response.status, request);
    response.headers.set("x-amz-request-id", requestId);
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
