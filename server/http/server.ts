import { noSuchFile } from "../files/find.ts";
import { fileHeaders } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import { type DashboardAssets, dashboardRoutes, unknownAddress } from "./dashboard-routes.ts";
import type { Gate } from "./gate.ts";
import type { Page } from "./pages/pages.ts";
import { failure, type HeaderFields, unexpected } from "./reply.ts";
import { createRoutes, IDLE_SECONDS, type RouteParts } from "./routes.ts";
import { refusal, validateFraming } from "./validate-framing.ts";

export interface HttpParts extends Omit<RouteParts, "onError"> {
  readonly gate: Gate;
  readonly pages: ReadonlyMap<string, Page>;
  readonly dashboard: DashboardAssets;
  readonly onError: (error: unknown) => void;
}

export interface HttpServer {
  readonly port: number;
  /** How many requests have no whole answer yet, those included whose clients are slow. */
  requestsUnderWay(): number;
  /** Takes no more requests; resolves when those under way have been answered. */
  stop(): Promise<void>;
  /** Cuts every connection. */
  cut(): Promise<void>;
}

export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** shared: several processes listen, and the system hands each connection to one of them. */
  readonly sharing: "exclusive" | "shared";
}

/** Listens. Throws the runtime's error when the address cannot be had. */
export function listen(parts: HttpParts, { host, port, sharing }: Address): HttpServer {
  const onError = (error: unknown, headers?: HeaderFields): Response => {
    parts.onError(error);
    return unexpected(headers);
  };

  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: sharing === "shared",
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: {
      ...createRoutes({ ...parts, onError }),
      ...rejectMalformed({ ...dashboardRoutes(parts.dashboard), ...pageRoutes(parts.pages) }),
    },
    fetch: (request) => {
      const flaw = validateFraming(request);
      return flaw === undefined ? unknownAddress(parts.dashboard, request) : refusal(flaw);
    },
    // Routes render their own errors, so what comes here befell the body of a file.
    error: (error) => {
      // A blob that was deleted between the look at it and its opening.
      if (error.code === "ENOENT") return failure(noSuchFile(), fileHeaders);
      if (error.code === "EMFILE" || error.code === "ENFILE") return failure(busy(), fileHeaders);
      return onError(error, fileHeaders);
    },
  });

  return {
    port: server.port ?? port,
    requestsUnderWay: () => server.pendingRequests,
    stop: () => server.stop(),
    cut: () => server.stop(true),
  };
}

const busy = (): Fault =>
  new Fault("unavailable", "Too many files are open right now. Try again shortly.", {
    retryAfter: 1,
  });

type Visit = (request: Request) => Response | Promise<Response>;

function rejectMalformed(
  routes: Readonly<Record<string, { readonly GET: Visit }>>,
): Record<string, { GET: Visit }> {
  const checked: Record<string, { GET: Visit }> = {};
  for (const [path, { GET }] of Object.entries(routes)) {
    checked[path] = {
      GET: (request) => {
        const flaw = validateFraming(request);
        return flaw === undefined ? GET(request) : refusal(flaw);
      },
    };
  }
  return checked;
}

function pageRoutes(pages: ReadonlyMap<string, Page>): Record<string, { GET: () => Response }> {
  const routes: Record<string, { GET: () => Response }> = {};
  for (const [path, page] of pages) {
    routes[path] = { GET: () => new Response(page.body, { headers: page.headers }) };
  }
  return routes;
}
