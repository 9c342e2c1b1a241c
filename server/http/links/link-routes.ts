import { Fault } from "../../domain/faults/fault.ts";
import { MAX_KEY_SEGMENTS, ROOT_KEY } from "../../domain/names/name.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { rejectMisspeltDryRun } from "../api/dry-runs.ts";
import type { Brand } from "../brand/brand.ts";
import { rejectConditions, rejectDryRunHeader } from "../connection/reject-headers.ts";
import { failure, methodNotAllowed } from "../connection/reply.ts";
import {
  type Admitted,
  envelopes,
  guarded,
  methodOf,
  type RenderFault,
  type Route,
  type RouteBasics,
} from "../connection/route.ts";
import { faultPage } from "./fault-page.ts";
import { type LinkRouteKind, type LinkTarget, readTarget } from "./link-target.ts";
import { LINK_HEADERS } from "./respond.ts";
import type { ServeLink } from "./serve-link.ts";
import { wantsPage } from "./visitor.ts";

export interface LinkRouteDeps extends RouteBasics {
  readonly serveLink: ServeLink;
  readonly brand: () => Brand;
}

/** Two routes for each depth of a path, without and with a slash at its end. */
export function linkRoutes(deps: LinkRouteDeps): Record<string, Route> {
  const file = linkRoute(deps, "file");
  const folder = linkRoute(deps, "folder");
  const unknown = linkRoute(deps, "unknown");
  const routes: Record<string, Route> = { "/s": unknown, "/s/*": unknown, "/s/:token/*": unknown };
  let path = "/s/:token";
  // One deeper than any key: the runtime matches longer paths with the deepest route.
  for (let depth = 0; depth <= MAX_KEY_SEGMENTS + 1; depth += 1) {
    if (depth > 0) path += `/:s${depth}`;
    routes[path] = file;
    routes[`${path}/`] = folder;
  }
  return routes;
}

function linkRoute(deps: LinkRouteDeps, kind: LinkRouteKind): Route {
  const { gate, freshSettings, serveLink, brand } = deps;
  const serve: Admitted = async (request, server, requestId) => {
    const method = methodOf(request);
    if (method !== "GET" && method !== "POST") {
      return methodNotAllowed(["GET", "POST"], LINK_HEADERS);
    }
    const target = readTarget(request, kind);
    // A shared file as a service worker could answer the requests for all others.
    if (request.headers.get("service-worker") !== null) throw noWorkers();
    if (method === "POST") {
      rejectConditions(request);
      rejectDryRunHeader(request);
      rejectMisspeltDryRun(target.query.keys(), {});
    }
    const inTurn = <T>(work: () => MaybePromise<T>) => gate.inTurn(request, server, work);
    await inTurn(() => freshSettings());
    const client = gate.clientOf(request, server);
    const respond = () => serveLink({ request, target, client, requestId: requestId() });
    if (method === "GET") return isPage(target) ? inTurn(respond) : respond();
    const close = gate.openBody(request, server);
    return respond().finally(close);
  };
  const renderFault: RenderFault = (fault, request, requestId) =>
    wantsPage(request)
      ? faultPage(fault, { request, requestId, target: readTarget(request, kind), brand: brand() })
      : failure(fault, LINK_HEADERS);
  const render = { ...envelopes(LINK_HEADERS), fault: renderFault };
  return guarded(deps, { budget: "links", serve, render, meter: deps.meter });
}

/** Whether all its work is for the page. Files may wait for a store, smaller sizes of images for others. */
const isPage = ({ path, isFolder, query }: LinkTarget): boolean =>
  (path === ROOT_KEY || isFolder || query.get("view") === "1") &&
  !["download", "zip", "size"].some((name) => query.has(name));

const noWorkers = (): Fault => new Fault("not_found", "Shared files are no service workers.");
