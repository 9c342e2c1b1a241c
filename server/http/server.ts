import { Fault } from "../domain/faults/fault.ts";
import { noSuchFile } from "../files/find.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { createThrottledReport } from "../lib/throttled-report.ts";
import { type BunRequest, type ErrorLike, serve } from "../runtime/serve.ts";
import { fileHeaders } from "../semantics/plan-delivery.ts";
import { createRoutes, type RouteDeps } from "./api/routes.ts";
import type { brandRoutes } from "./brand/brand-routes.ts";
import { type Drain, startDrain } from "./connection/drain.ts";
import type { Gate } from "./connection/gate.ts";
import type { Handler, Observe } from "./connection/observed.ts";
import { IDLE_SECONDS } from "./connection/pause-idle-timer.ts";
import { failure, unexpectedError } from "./connection/reply.ts";
import { newRequestId } from "./connection/request-id.ts";
import type { Route, Server } from "./connection/route.ts";
import { rejectMalformed, validateFraming } from "./connection/validate-framing.ts";
import { watchReaders } from "./connection/watch-readers.ts";
import { type LinkRouteDeps, linkRoutes } from "./links/link-routes.ts";
import { createMcpRoute, isMcp, type McpDeps } from "./mcp/mcp-route.ts";
import { type DashboardDeps, dashboardRoutes, unknownPath } from "./pages/dashboard-routes.ts";
import { type Page, pageResponse } from "./pages/pages.ts";
import { listenS3 } from "./s3/listen-s3.ts";
import { type S3Site, withS3, withS3Gets } from "./s3/serve-s3.ts";

export interface HttpDeps extends RouteDeps, LinkRouteDeps {
  readonly gate: Gate;
  readonly pages: ReadonlyMap<string, Page>;
  readonly dashboard: DashboardDeps;
  readonly brandRoutes: ReturnType<typeof brandRoutes>;
  readonly s3: S3Site;
  readonly mcp: Omit<McpDeps, "handlers">;
  /** undefined: requests are neither counted nor logged. */
  readonly observe: Observe | undefined;
}

export interface HttpServer {
  readonly port: number;
  /** Requests whose response is not complete, including those of slow clients. */
  pendingRequests(): number;
  /** Keeps the response while its reader receives anything, and ends it afterwards. */
  watchReader(request: Request): void;
  /** The client's address; "": the connection is closed. */
  clientOf(request: Request): string;
  /** Lets proxies in front send their requests elsewhere. Resolves when the server may stop; see `drain.ts`. */
  drain(isBehindProxy: boolean): Promise<void>;
  /** Stops accepting requests; resolves when the pending ones are complete. */
  stop(): Promise<void>;
  /** Closes every connection. */
  closeConnections(): Promise<void>;
}

export interface Address {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** On which every request is one of the S3 API. null: there is none. */
  readonly s3Port: number | null;
  /** shared: several processes listen, and the kernel distributes connections among them. */
  readonly sharing: "exclusive" | "shared";
}

/** Starts to listen. Throws the runtime's error if the address is not available. */
export function listen(deps: HttpDeps, { host, port, s3Port, sharing }: Address): HttpServer {
  const reportDiskError = createThrottledReport((message) =>
    deps.onError(new Error(message), newRequestId()),
  );

  // Routes handle their own errors, so only a file that cannot be opened for a body ends up here.
  const error = (error: ErrorLike): Response => {
    // The blob was deleted after it was found.
    if (error.code === "ENOENT") return failure(noSuchFile(), fileHeaders);
    if (error.code === "EIO") {
      reportDiskError(error.code, `The disk of the blobs has failed: ${error.message}`);
      return failure(diskFailed(), fileHeaders);
    }
    if (error.code === "EMFILE" || error.code === "ENFILE") return failure(busy(), fileHeaders);
    deps.onError(error, newRequestId());
    return unexpectedError(fileHeaders);
  };

  const observe: Observe = deps.observe ?? ((handler) => handler);
  /** Responds to paths without a route. */
  const serveUnrouted = (request: Request, bun: Server): MaybePromise<Response> => {
    const ofS3 = deps.s3.serveUnrouted(request, bun);
    if (ofS3 !== undefined) return ofS3;
    const malformed = validateFraming(request);
    return malformed === undefined
      ? unknownPath(deps.dashboard, request)
      : rejectMalformed(malformed);
  };

  const mcp = createMcpRoute({ ...deps, ...deps.mcp });
  const allRoutes: Routes = {
    ...withS3(deps.s3, {
      ...createRoutes(deps),
      ...linkRoutes(deps),
    }),
    ...withS3Gets(
      deps.s3,
      withFramingCheck({
        ...dashboardRoutes(deps.dashboard),
        ...pageRoutes(deps.pages),
        ...deps.brandRoutes,
      }),
    ),
    // A bucket may be named so, and its forms are sent to this path.
    "/mcp": (request, bun) =>
      isMcp(request)
        ? (deps.s3.serveUnrouted(request, bun) ?? mcp(request, bun))
        : serveUnrouted(request, bun),
  };

  const routes = deps.observe === undefined ? allRoutes : wrapRoutes(allRoutes, observe);
  const fetch = observe(serveUnrouted, "unknown");

  const basics = {
    hostname: host,
    reusePort: sharing === "shared",
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    error,
  };
  const server = serve({ ...basics, port, routes, fetch });
  const s3 =
    s3Port === null
      ? undefined
      : listenS3(observe(deps.s3.serveAll, "s3"), { ...basics, port: s3Port });

  const readers = watchReaders(server);
  let draining: Drain | undefined;

  return {
    port: server.port ?? port,
    pendingRequests: () => server.pendingRequests + (s3?.pendingRequests() ?? 0),
    drain(isBehindProxy) {
      draining ??= startDrain({
        isBehindProxy,
        closeConnections(admit) {
          server.reload({
            routes: wrapRoutes(routes, (handler) => closing(handler, admit)),
            fetch: closing(fetch, admit),
            error,
          });
          s3?.closeConnections((handler) => closing(handler, admit));
        },
      });
      return draining.done;
    },
    watchReader(request) {
      if (s3?.watchReader(request) !== true) readers.watch(request);
    },
    clientOf: (request) =>
      deps.gate.clientOf(request, {
        requestIP: (own) => s3?.requestIP(own) ?? server.requestIP(own),
      }),
    stop() {
      const stopped = Promise.all([server.stop(), s3?.stop(false)]);
      draining?.release();
      return stopped.then(() => undefined);
    },
    async closeConnections() {
      readers.stop();
      await Promise.all([server.stop(true), s3?.stop(true)]);
    },
  };
}

const diskFailed = (): Fault =>
  new Fault("unavailable", "The disk has reported an error. Try again later.", { retryAfter: 5 });

const busy = (): Fault =>
  new Fault("unavailable", "The server has too many open files. Try again shortly.", {
    retryAfter: 1,
  });

type GetRoute = (request: Request) => Response | Promise<Response>;

function withFramingCheck(
  routes: Readonly<Record<string, { readonly GET: GetRoute }>>,
): Record<string, { GET: GetRoute }> {
  const checked: Record<string, { GET: GetRoute }> = {};
  for (const [path, { GET }] of Object.entries(routes)) {
    checked[path] = {
      GET: (request) => {
        const malformed = validateFraming(request);
        return malformed === undefined ? GET(request) : rejectMalformed(malformed);
      },
    };
  }
  return checked;
}

function pageRoutes(pages: ReadonlyMap<string, Page>): Record<string, { GET: GetRoute }> {
  const routes: Record<string, { GET: GetRoute }> = {};
  for (const [path, page] of pages) {
    routes[path] = { GET: (request) => pageResponse(page, request) };
  }
  return routes;
}

type Admit = () => MaybePromise<void>;

/** The handler, which waits for `admit` and whose responses close their connections. */
const closing =
  <R extends Request>(handler: Handler<R>, admit: Admit): Handler<R> =>
  (request, server) =>
    chain(
      chain(admit(), () => handler(request, server)),
      (response) => {
        response.headers.set("Connection", "close");
        return response;
      },
    );

type Routes = Record<string, Route | { GET: Handler<BunRequest> }>;

function wrapRoutes(routes: Readonly<Routes>, wrap: Observe): Routes {
  const wrapped: Routes = {};
  for (const [path, route] of Object.entries(routes)) {
    wrapped[path] =
      typeof route === "function" ? wrap(route, path) : { GET: wrap(route.GET, path) };
  }
  return wrapped;
}
