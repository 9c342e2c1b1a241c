import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import type { Route, Server } from "./route.ts";

type Handler<R extends Request> = (request: R, server: Server) => MaybePromise<Response>;
type Admit = () => MaybePromise<void>;

/** The handler, which waits for `admit` and whose responses close their connections. */
export const closing =
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

/** `closing` for all routes. */
export function closingRoutes(routes: Readonly<Routes>, admit: Admit): Routes {
  const wrapped: Routes = {};
  for (const [path, route] of Object.entries(routes)) {
    wrapped[path] =
      typeof route === "function" ? closing(route, admit) : { GET: closing(route.GET, admit) };
  }
  return wrapped;
}
