import { z } from "zod";
import { refusesConditions } from "../../../contract/conditions.ts";
import { makesFactor } from "../../../contract/makes-factor.ts";
import { type Access, type Operation, successStatus } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import type { Identity } from "../../access/authenticate.ts";
import { callerOf } from "../../access/caller-of.ts";
import { SPACE_PARAMETER, secondFactorRequired } from "../../access/people/require-rights.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import type { Brand } from "../brand/brand.ts";
import {
  rejectConditions,
  rejectDryRunHeader,
  rejectEncodedBody,
} from "../connection/reject-headers.ts";
import { methodNotAllowed, success } from "../connection/reply.ts";
import {
  type Admitted,
  envelopes,
  guarded,
  methodOf,
  type Route,
  type RouteBasics,
  type Server,
} from "../connection/route.ts";
import { createStillAuthenticated } from "../connection/still-authenticated.ts";
import type { Host } from "../hosting/hosting.ts";
import { hostingRoutes } from "../hosting/hosting-routes.ts";
import type { MissingFile } from "../hosting/missing-file.ts";
import { preflight } from "../tus/cors.ts";
import { readTusCreation } from "../tus/read-creation.ts";
import { checkTusVersion, tusMethod, uploadHeaders } from "../tus/upload-headers.ts";
import { rejectMisspeltDryRun, takeDryRun } from "./dry-runs.ts";
import type { CheckedInput, HandledOperation, UntypedHandlers } from "./handlers/handler.ts";
import {
  check,
  isForm,
  MAX_ANONYMOUS_JSON_BYTES,
  MAX_BULK_JSON_BYTES,
  MAX_JSON_BYTES,
  readForm,
  readJson,
  readQuery,
  rejectBody,
} from "./input.ts";
import { createSignInFaultPage } from "./sign-in-fault-page.ts";

export interface RouteDeps extends RouteBasics {
  readonly handlers: UntypedHandlers;
  readonly host: Host;
  readonly missingFile: MissingFile;
  readonly brand: () => Brand;
}

type RoutedOperation = Operation & { readonly id: HandledOperation };

/** The operations of one path, by method. */
type Methods = Readonly<Record<string, RoutedOperation>>;

/** Every route of the contract, and 404 for unknown paths under `/api` and `/auth`. */
export function createRoutes(deps: RouteDeps): Record<string, Route> {
  const routes: Record<string, Route> = {};
  const routed = Object.values(operations).filter((each) => each.id !== "hostFile");
  for (const [path, methods] of pathsOf(routed)) {
    routes[path.replace(/\{(\w+)\}/g, ":$1")] = operationRoute(deps, methods);
  }
  const unknown = operationRoute(deps, {});
  for (const path of ["/api", "/api/*", "/auth", "/auth/*"]) routes[path] = unknown;
  return { ...routes, ...hostingRoutes(deps) };
}

function pathsOf(all: readonly RoutedOperation[]): Map<string, Methods> {
  const paths = new Map<string, Methods>();
  for (const operation of all) {
    const methods = paths.get(operation.path);
    paths.set(operation.path, { ...methods, [operation.method]: operation });
  }
  return paths;
}

function operationRoute(deps: RouteDeps, methods: Methods): Route {
  const { gate } = deps;
  const known = Object.values(methods);
  const ofUploads = uploadHeaders(known);
  const headers = known.some(({ response }) => "file" in response) ? fileHeaders : ofUploads;

  const serve: Admitted = async (request, server) => {
    const operation = methods[tusMethod(request, methods)] ?? methods[methodOf(request)];
    const inTurn = <T>(work: () => MaybePromise<T>): Promise<T> =>
      gate.inTurn(request, server, work);
    if (operation === undefined) return inTurn(() => refuse(request));
    const enter = () => gate.enter(request, operation.access);
    // Health checks must not wait, and the others cost little.
    if (operation.access === "anyone" && operation.method === "GET") {
      return run(operation, await enter(), { request, server });
    }
    if (isRead(operation)) {
      return inTurn(async () => run(operation, await enter(), { request, server }));
    }
    const identity = await gate.enterInTurn(request, server, operation.access);
    return run(operation, identity, { request, server });
  };

  /** No operation has the request's method, or its path. */
  async function refuse(request: Request): Promise<Response> {
    const ofBrowser = accessTo(known) === "token" ? preflight(request, Object.keys(methods)) : null;
    if (ofBrowser !== null) return ofBrowser;
    await gate.enter(request, accessTo(known));
    if (known.length > 0) return methodNotAllowed(Object.keys(methods), headers);
    throw new Fault("not_found", "This path does not exist. See /docs for the API reference.");
  }

  async function run(
    operation: RoutedOperation,
    identity: Identity | undefined,
    { request, server }: { readonly request: BunRequest; readonly server: Server },
  ): Promise<Response> {
    if (identity?.kind === "session" && identity.lacksSecondFactor && !makesFactor(operation.id)) {
      throw secondFactorRequired();
    }
    if (operation.tus === true) checkTusVersion(request);
    if (operation.method !== "GET") rejectDryRunHeader(request);
    rejectEncodedBody(request);
    if (refusesConditions(operation)) rejectConditions(request);
    const still = createStillAuthenticated(identity, () => gate.identify(request));
    // Public operations need no settings, and readiness checks must work without the database.
    if (operation.access !== "anyone") await deps.freshSettings();
    const added: [name: string, value: string][] = Object.entries(ofUploads ?? {});
    const isFromStranger = identity === undefined && operation.body !== undefined;
    const close = isFromStranger ? deps.gate.openBody(request, server) : undefined;
    const body = await bodyOf(request, operation).finally(close);
    if (identity !== undefined && body !== undefined) await still.requireStillAuthenticated();
    let status: number = successStatus(operation);
    const known = operation.query ?? NO_PARAMETERS;
    const search = searchOf(request);
    if (identity?.kind === "session" && identity.membership !== undefined) {
      search.delete(SPACE_PARAMETER);
    }
    if (operation.ignoresUnknown === true && operation.method !== "GET") {
      rejectMisspeltDryRun(search.keys(), known.shape);
    }
    const query = readQuery(search, known, operation);
    const isDryRun = takeDryRun(query, body);
    const input: CheckedInput = {
      query,
      body,
      parameters: request.params,
      request,
      client: gate.clientOf(request, server),
      identity,
      caller: isDryRun ? { ...callerOf(identity), isDryRun } : callerOf(identity),
      authenticateAgain: still.authenticateAgain,
      requireStillAuthenticated: still.requireStillAuthenticated,
      // Audited operations get one that keeps it.
      addAuditDetails: () => undefined,
      setStatus: (alternative) => {
        status = alternative;
      },
      setCookie: (cookie) => added.push(["Set-Cookie", cookie]),
      setHeader: (name, value) => added.push([name, value]),
    };
    const result = await deps.handlers[operation.id](input);
    const response =
      result instanceof Response
        ? result
        : await success(result, undefined, status, server.pendingRequests);
    for (const [name, value] of added) {
      if (name === "Set-Cookie") response.headers.append(name, value);
      else response.headers.set(name, value);
    }
    return response;
  }
  const servesFiles = known.some(({ response }) => "file" in response || "archive" in response);
  const isForPeople = known.some(({ response }) => "empty" in response && response.empty === 303);
  const render = envelopes(headers);
  return guarded(deps, {
    budget: "api",
    serve,
    meter: servesFiles ? deps.meter : undefined,
    render: isForPeople ? { ...render, fault: createSignInFaultPage(deps.brand) } : render,
  });
}

/** Whether all its work is for the response. Others may wait for a body, or for a store. */
const isRead = ({ method, response }: Operation): boolean => method === "GET" && "data" in response;

/** The access that a path demands of requests with a method that it does not have. */
function accessTo(known: readonly Operation[]): Access {
  if (known.some(({ access }) => access === "token")) return "token";
  return known.length > 0 && known.every(({ access }) => access === "anyone") ? "anyone" : "caller";
}

const NO_PARAMETERS = z.object({});

async function bodyOf(request: Request, operation: Operation): Promise<unknown> {
  const { body, access, ignoresUnknown } = operation;
  const isAnonymous = access === "anyone" || access === "token";
  const isBulk = body !== undefined && "json" in body && body.isBulk === true;
  const usual = isBulk ? MAX_BULK_JSON_BYTES : MAX_JSON_BYTES;
  const maxBytes = isAnonymous ? MAX_ANONYMOUS_JSON_BYTES : usual;
  if (body === undefined && ignoresUnknown !== true) await rejectBody(request, maxBytes);
  if (body === undefined || !("json" in body)) return undefined;
  const ofTus = body.tus === true ? readTusCreation(request.headers) : undefined;
  if (ofTus !== undefined) return check(body.json, ofTus);
  return body.form === true && isForm(request)
    ? readForm(request, body.json, operation)
    : readJson(request, body.json, { maxBytes, ignoresUnknown });
}

function searchOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}
