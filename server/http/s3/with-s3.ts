import type { Route, Server } from "../connection/route.ts";
import type { S3Site } from "./serve-s3.ts";

/** The routes, of which requests of the S3 API go to it: buckets have the names that they like. */
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
