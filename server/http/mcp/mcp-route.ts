import { callerOf } from "../../access/caller-of.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { Files } from "../../files/files.ts";
import { parseAddress } from "../../limits/ip-address.ts";
import type { Settings } from "../../settings/settings.ts";
import type { UntypedHandlers } from "../api/handlers/handler.ts";
import { MAX_JSON_BYTES, MAX_LIST_VALUES, readJsonValue } from "../api/input.ts";
import { mediaTypeOf } from "../connection/media-type-of.ts";
import { rejectDryRunHeader, rejectEncodedBody } from "../connection/reject-headers.ts";
import { statusOf } from "../connection/reply.ts";
import {
  type Admitted,
  envelopes,
  guarded,
  type Route,
  type RouteBasics,
} from "../connection/route.ts";
import { createStillAuthenticated } from "../connection/still-authenticated.ts";
import { absoluteUrl } from "./absolute-urls.ts";
import { createCallOperation } from "./call-operation.ts";
import { createToolbox } from "./toolbox.ts";

export interface McpDeps {
  readonly handlers: UntypedHandlers;
  readonly files: Files;
  readonly settings: Pick<Settings, "current">;
  /** Without a trailing slash; null: the URL of each request. */
  readonly publicUrl: string | null;
  readonly version: string;
  /** Counts the bytes of files in responses. */
  readonly onSend: (bytes: number, request: Request, file: FileRecord) => void;
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** Whether a request for `/mcp` that is not of the S3 API is one of MCP. Others are as for an unknown path. */
export const isMcp = ({ method, headers }: Request): boolean =>
  method === "POST" || (headers.get("accept")?.includes("text/event-stream") ?? false);

/** Serves the Model Context Protocol: agents call the operations of the API as tools. */
export function createMcpRoute(deps: McpDeps & RouteBasics): Route {
  const { gate, settings, publicUrl } = deps;
  const requireKnownOrigin = (request: Request): void => {
    const origin = request.headers.get("origin");
    if (origin === null && gate.isSameOrigin(request)) return;
    // Without a public URL, the origin is compared with `Host`, and any name can be made to lead here.
    const isKnown = gate.isSameOrigin(request) && (publicUrl !== null || !hasName(origin));
    if (!isKnown) throw new Fault("forbidden", "Pages of this origin may not use MCP.");
  };

  const serve: Admitted = async (request, server, requestId) => {
    if (request.method !== "POST") return methodNotAllowed();
    requireKnownOrigin(request);
    rejectDryRunHeader(request);
    const identity = await gate.inTurn(request, server, () => gate.identifyKey(request));
    if (identity === undefined) throw new Fault("unauthorized", NO_KEY);
    const still = createStillAuthenticated(identity, () => gate.identifyKey(request));
    const message = await readMessage(request);
    await still.requireStillAuthenticated();
    await deps.freshSettings();
    const caller = callerOf(identity);
    const base = publicUrl ?? new URL(request.url, "http://localhost").origin;
    const onError = (error: unknown): void => {
      if (!(error instanceof ConnectionClosed)) deps.onError(error, requestId());
    };
    const toolbox = createToolbox({
      context: {
        caller,
        call: createCallOperation(deps.handlers, {
          caller,
          identity,
          client: gate.clientOf(request, server),
          signal: request.signal,
          ...still,
        }),
        files: deps.files,
        absolute: (url) => absoluteUrl(url, base),
        countBytes: (bytes, file) => deps.onSend(bytes, request, file),
      },
      base,
      isOn: (setting) => settings.current()[setting],
      inTurn: (work) => gate.inTurn(request, server, work),
      onError,
    });
    // The library takes time to load and memory, which servers without agents save.
    const { answerMcp } = await import("./protocol.ts");
    const response = await answerMcp({ request, message, toolbox }, deps.version, onError);
    for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
    return response;
  };
  return guarded(deps, {
    budget: "api",
    serve,
    render: { ...envelopes(HEADERS), fault: renderFault },
  });
}

const NO_KEY =
  "Send an API key as `API-Key` or as `Authorization: Bearer`. A session of the dashboard does not count here.";

/** Fault: the body is none that has a single message. */
async function readMessage(request: Request): Promise<object> {
  rejectEncodedBody(request);
  if (mediaTypeOf(request.headers) !== "application/json") {
    throw new Fault(
      "unsupported_media_type",
      "Send a JSON-RPC message with `Content-Type: application/json`.",
    );
  }
  const message = await readJsonValue(request, MAX_JSON_BYTES, MAX_LIST_VALUES);
  if (Array.isArray(message)) {
    throw new Fault("invalid", "Batches are not supported: send each message in its own request.");
  }
  if (typeof message !== "object" || message === null) {
    throw new Fault("invalid", "The body must be a JSON-RPC message, which is an object.");
  }
  return message;
}

/** Whether an origin is of a host with a name other than `localhost`, and not of an address. */
function hasName(origin: string | null): boolean {
  const host = URL.parse(origin ?? "")?.hostname ?? "";
  return host !== "localhost" && parseAddress(host.replace(/^\[|\]$/g, "")) === undefined;
}

/** JSON-RPC: an invalid request, and the start of the codes that servers define. */
const INVALID_REQUEST = -32600;
const SERVER_ERROR = -32000;

/** A fault before there is a message to answer. */
function renderFault(fault: Fault): Response {
  const { kind, code, message, details, retryAfter } = fault;
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (kind === "unauthorized") headers["WWW-Authenticate"] = 'Bearer realm="holdall"';
  const rpcCode = kind === "invalid" ? INVALID_REQUEST : SERVER_ERROR;
  return rpcError(statusOf(fault), { code: rpcCode, message, data: { code, ...details } }, headers);
}

const methodNotAllowed = (): Response =>
  rpcError(
    405,
    { code: SERVER_ERROR, message: "There are no streams: send messages with POST." },
    { Allow: "POST" },
  );

const rpcError = (status: number, error: object, headers: Record<string, string>): Response =>
  Response.json(
    { jsonrpc: "2.0", id: null, error },
    { status, headers: { ...HEADERS, ...headers } },
  );
