import { noSuchFile } from "../files/find.ts";
import { fileHeaders } from "../rules/delivery.ts";
import { chain } from "../rules/maybe-promise.ts";
import { MAX_KEY_SEGMENTS } from "../rules/name.ts";
import type { Host } from "./hosting.ts";
import { lastingFailure, wrongMethod } from "./reply.ts";
import { type Admitted, guarded, methodOf, type Route, type RouteBasics } from "./route.ts";

/**
 * One route for each depth of a key. The runtime decodes the segments of the raw path one by one,
 * whereas its `request.url` has dot segments folded away.
 */
export function hostingRoutes(parts: RouteBasics & { readonly host: Host }): Record<string, Route> {
  const serve: Admitted = (request) => {
    if (request.method === "OPTIONS")
      return preflight(request) ?? wrongMethod(["GET"], fileHeaders);
    if (methodOf(request) !== "GET") return wrongMethod(["GET"], fileHeaders);
    const hosted = chain(parts.freshSettings(), () =>
      parts.host(request, Object.values(request.params)),
    );
    return chain(hosted, (response) => response ?? absent());
  };
  const absent = lastingFailure(noSuchFile(), fileHeaders);
  const route = guarded(parts, "hosting", fileHeaders, serve, parts.meter);
  const routes: Record<string, Route> = { "/api/hosting": route, "/api/hosting/*": route };
  let path = "/api/hosting";
  // One deeper than a key can be: the runtime would give longer paths to the deepest route.
  for (let depth = 1; depth <= MAX_KEY_SEGMENTS + 1; depth += 1) {
    path += `/:s${depth}`;
    routes[path] = route;
  }
  return routes;
}

/** Lets scripts of other origins read public files with ranges and conditions (Fetch standard, CORS preflight). */
function preflight({ headers }: Request): Response | undefined {
  if (!headers.has("access-control-request-method")) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      ...fileHeaders,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": "Range, If-Range, If-None-Match, If-Modified-Since",
      "Access-Control-Max-Age": "86400",
    },
  });
}
