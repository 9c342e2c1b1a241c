import { type HostingPath, hostingPath, hostingPathInUrl } from "../../domain/names/hosting-key.ts";
import { MAX_KEY_SEGMENTS } from "../../domain/names/name.ts";
import { chain } from "../../lib/maybe-promise.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import { methodNotAllowed } from "../connection/reply.ts";
import {
  type Admitted,
  envelopes,
  guarded,
  methodOf,
  type Route,
  type RouteBasics,
} from "../connection/route.ts";
import type { Host } from "./hosting.ts";
import type { MissingFile } from "./missing-file.ts";
import { options } from "./preflight.ts";

export interface HostingRouteDeps extends RouteBasics {
  readonly host: Host;
  readonly missingFile: MissingFile;
}

/**
 * One route for each depth of a key. Route parameters come from the raw path, decoded segment by
 * segment, whereas `request.url` has its dot segments resolved.
 */
export function hostingRoutes(deps: HostingRouteDeps): Record<string, Route> {
  const serve: Admitted = (request) => {
    if (request.method === "OPTIONS") return options(request);
    if (methodOf(request) !== "GET") return methodNotAllowed(["GET"], fileHeaders);
    // A hosted file as a service worker could answer the requests for all others.
    if (request.headers.get("service-worker") !== null) return deps.missingFile(request);
    const hosted = chain(deps.freshSettings(), () => deps.host(request, pathOf(request)));
    return chain(hosted, (response) => response ?? deps.missingFile(request));
  };
  const { meter } = deps;
  const route = guarded(deps, { budget: "hosting", serve, meter, render: envelopes(fileHeaders) });
  const routes: Record<string, Route> = { "/api/hosting": route, "/api/hosting/*": route };
  let path = "/api/hosting";
  for (const name of PARAMETERS) {
    path += `/:${name}`;
    routes[path] = route;
  }
  return routes;
}

const PREFIX = "/api/hosting/";

/** One more than a key has segments: the runtime matches longer paths with the deepest route. */
const PARAMETERS = Array.from({ length: MAX_KEY_SEGMENTS + 1 }, (_, at) => `s${at + 1}`);

/** Paths with an empty segment match only the route without parameters. */
function pathOf({ params, url }: BunRequest): HostingPath {
  const segments: string[] = [];
  // By name, since listing the parameters of the runtime takes five times as long.
  for (const name of PARAMETERS) {
    const segment = params[name];
    if (segment === undefined) break;
    segments.push(segment);
  }
  return segments.length === 0 ? hostingPathInUrl(PREFIX, url) : hostingPath(segments, url);
}
