import type { Method, Operation } from "../../contract/operation.ts";
import type { OperationId } from "../../contract/operations.ts";
import { operations } from "../../contract/operations.ts";
import { fileHeaders } from "../rules/delivery.ts";
import { Fault } from "../rules/fault.ts";
import type { Handlers, Input } from "./handlers/handler.ts";
import type { Host } from "./hosting.ts";
import { hostingRoutes } from "./hosting-routes.ts";
import {
  isForm,
  MAX_JSON_BYTES,
  MAX_OPEN_JSON_BYTES,
  readForm,
  readJson,
  readQuery,
} from "./input.ts";
import type { AnswerData } from "./json-stream.ts";
import { success, wrongMethod } from "./reply.ts";
import { type Admitted, guarded, methodOf, type Route, type RouteBasics } from "./route.ts";

export interface RouteParts extends RouteBasics {
  readonly handlers: Handlers<Exclude<OperationId, "hostFile">>;
  readonly host: Host;
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

  const serve: Admitted = async (request, server) => {
    const operation = methods[methodOf(request)];
    if (operation === undefined) {
      await parts.gate.enter(request, open ? "anyone" : "caller");
      if (known.length > 0) return wrongMethod(Object.keys(methods), headers);
      throw new Fault("not_found", "There is nothing at this path. The API is described at /docs.");
    }
    const caller = await parts.gate.enter(request, operation.access);
    // What is open to anyone goes by none, and may be asked for to see whether the catalog is there.
    if (operation.access !== "anyone") await parts.freshSettings();
    const cookies: string[] = [];
    const input: CheckedInput = {
      query: operation.query === undefined ? {} : readQuery(searchOf(request), operation.query),
      body: await bodyOf(request, operation),
      parameters: request.params,
      request,
      client: parts.gate.clientOf(request, server),
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
  };
  const servesFiles = known.some(({ answer }) => "file" in answer || "archive" in answer);
  return guarded(parts, "api", headers, serve, servesFiles ? parts.meter : undefined);
}

async function bodyOf(request: Request, { body, access }: Operation): Promise<unknown> {
  if (body === undefined || !("json" in body)) return undefined;
  return body.form === true && isForm(request)
    ? readForm(request, body.json)
    : readJson(request, body.json, access === "anyone" ? MAX_OPEN_JSON_BYTES : MAX_JSON_BYTES);
}

type CheckedInput = Omit<Input, "query" | "body"> & { query: unknown; body: unknown };
type AnyHandler = (input: CheckedInput) => Promise<AnswerData | Response>;

/** The input was checked against this very operation, which the types cannot follow here. */
function run(handlers: RouteParts["handlers"], operation: Operation, input: CheckedInput) {
  const handler = (handlers as unknown as Record<string, AnyHandler>)[operation.id];
  if (handler === undefined) throw new Error(`No handler for ${operation.id}`);
  return handler(input);
}

function searchOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}
