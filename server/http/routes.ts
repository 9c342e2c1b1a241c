import type { BunRequest } from "bun";
import type { Budget, Method, Operation } from "../../contract/operation.ts";
import type { OperationId } from "../../contract/operations.ts";
import { operations } from "../../contract/operations.ts";
import { fileHeaders } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import { MAX_KEY_SEGMENTS } from "../rules/name.ts";
import type { Connection, Gate } from "./gate.ts";
import type { Handlers, Input } from "./handlers/handler.ts";
import type { Host } from "./hosting.ts";
import { readJson, readQuery } from "./input.ts";
import type { AnswerData } from "./json-stream.ts";
import { failure, type HeaderFields, success, wrongMethod } from "./reply.ts";

/** What the runtime's server offers to a request. */
export interface Server extends Connection {
  timeout(request: Request, seconds: number): void;
}

export type Route = (request: BunRequest, server: Server) => Promise<Response>;

export interface RouteParts {
  readonly gate: Gate;
  readonly handlers: Handlers<Exclude<OperationId, "hostFile">>;
  readonly host: Host;
  /** Renders what is no fault: logs it, answers 500. */
  readonly onError: (error: unknown, headers: HeaderFields | undefined) => Response;
}

/** Seconds of silence after which a connection is cut. */
export const IDLE_SECONDS = 120;

/** The operations of one path, by method. */
type Methods = Partial<Record<Method, Operation>>;

/** Every route of the contract, and the answers for what it does not know. */
export function createRoutes(parts: RouteParts): Record<string, Route> {
  const routes: Record<string, Route> = {};
  for (const [path, methods] of pathsOf(Object.values(operations))) {
    routes[path.replace(/\{(\w+)\}/g, ":$1")] = operationRoute(parts, methods);
  }
  const unknown = operationRoute(parts, {});
  for (const path of ["/api", "/api/*", "/auth", "/auth/*"]) routes[path] = unknown;
  return { ...routes, ...hostingRoutes(parts) };
}

function pathsOf(all: readonly Operation[]): Map<string, Methods> {
  const paths = new Map<string, Methods>();
  for (const operation of all) {
    if (operation.access === "reader") continue;
    const methods = paths.get(operation.path) ?? {};
    methods[operation.method] = operation;
    paths.set(operation.path, methods);
  }
  return paths;
}

function operationRoute(parts: RouteParts, methods: Methods): Route {
  const known = Object.values(methods);
  const open = known.length > 0 && known.every((operation) => operation.access === "anyone");
  const headers = known.some((operation) => "file" in operation.answer) ? fileHeaders : undefined;

  return guarded(parts, "api", headers, async (request, server, client) => {
    const operation = methods[methodOf(request)];
    if (operation === undefined) {
      await parts.gate.enter(request, open ? "anyone" : "caller");
      if (known.length > 0) return wrongMethod(Object.keys(methods), headers);
      throw new Fault("missing", "There is nothing at this path. The API is described at /docs.");
    }
    const caller = await parts.gate.enter(request, operation.access);
    const cookies: string[] = [];
    const input: CheckedInput = {
      query: operation.query === undefined ? {} : readQuery(searchOf(request), operation.query),
      body: await bodyOf(request, operation),
      parameters: request.params,
      request,
      client,
      caller,
      setCookie: (cookie) => cookies.push(cookie),
    };
    if (operation.slow === true) server.timeout(request, 0);
    const answer = await run(parts.handlers, operation, input).finally(() => {
      // The runtime would keep the lifted limit for the connection's later requests.
      if (operation.slow === true) server.timeout(request, IDLE_SECONDS);
    });
    const response = answer instanceof Response ? answer : await success(answer);
    for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
    return response;
  });
}

async function bodyOf(request: Request, { body }: Operation): Promise<unknown> {
  return body !== undefined && "json" in body ? readJson(request, body.json) : undefined;
}

type CheckedInput = Omit<Input, "query" | "body"> & { query: unknown; body: unknown };
type AnyHandler = (input: CheckedInput) => Promise<AnswerData | Response>;

/** The input was checked against this very operation, which the types cannot follow here. */
function run(handlers: RouteParts["handlers"], operation: Operation, input: CheckedInput) {
  const handler = (handlers as unknown as Record<string, AnyHandler>)[operation.id];
  if (handler === undefined) throw new Error(`No handler for ${operation.id}`);
  return handler(input);
}

/**
 * One route for each depth of a key. The runtime decodes the segments of the raw path one by one,
 * whereas its `request.url` has dot segments folded away.
 */
function hostingRoutes(parts: RouteParts): Record<string, Route> {
  const route = guarded(parts, "hosting", fileHeaders, async (request) => {
    if (request.method === "OPTIONS")
      return preflight(request) ?? wrongMethod(["GET"], fileHeaders);
    if (methodOf(request) !== "GET") return wrongMethod(["GET"], fileHeaders);
    return parts.host(request, Object.values(request.params));
  });
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

type Admitted = (request: BunRequest, server: Server, client: string) => Promise<Response>;

/** Counts the request, and renders whatever goes wrong. */
function guarded(
  { gate, onError }: RouteParts,
  budget: Budget,
  headers: HeaderFields | undefined,
  route: Admitted,
): Route {
  return async (request, server) => {
    try {
      if (!isHost(request.headers.get("host"))) return ambiguousHost(headers);
      const client = await gate.admit(request, server, budget);
      return await route(request, server, client);
    } catch (error) {
      return error instanceof Fault ? failure(error, headers) : onError(error, headers);
    }
  };
}

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether it names one host, with or without a port; several headers come joined by commas. */
const isHost = (host: string | null): boolean => host === null || host === "" || HOST.test(host);

/** Who cannot say which host is meant may be talking past a proxy (RFC 9112, section 3.2). */
function ambiguousHost(headers: HeaderFields | undefined): Response {
  const fault = new Fault("invalid", "The Host header must name one host, with or without a port.");
  return failure(fault, { ...headers, Connection: "close" });
}

function methodOf({ method }: Request): Method {
  return method === "HEAD" ? "GET" : (method as Method);
}

function searchOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}
