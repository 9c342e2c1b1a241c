import type { Budget } from "../../../contract/operation.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { attempt, chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import type { Connection, Gate } from "./gate.ts";
import { type IdleTimer, pauseIdleTimer } from "./pause-idle-timer.ts";
import { failure, type HeaderFields, isSmallReply } from "./reply.ts";
import { REQUEST_ID } from "./request-id.ts";
import { rejectMalformed, validateFraming } from "./validate-framing.ts";

/** The part of the runtime's server that routes use. */
export interface Server extends Connection, IdleTimer {
  /** Requests whose response is not complete. */
  readonly pendingRequests: number;
}

export type Route = (request: BunRequest, server: Server) => MaybePromise<Response>;

/** Called with the status of each response. */
export type Meter = (status: number, request: Request) => void;

/** Dependencies of every route. */
export interface RouteBasics {
  /** Counts the requests of API keys. */
  readonly keyMeter: Meter;
  /** For routes that serve files. */
  readonly meter: Meter;
  /** Ends the response if its reader stops; see `ReaderWatch`. */
  readonly watchReader: (request: Request) => void;
  readonly gate: Gate;
  /** Await this before reading settings: it refreshes a stale cache. */
  readonly freshSettings: () => Promise<void> | undefined;
  /** Logs an unexpected error and responds 500. */
  readonly onError: (
    error: unknown,
    requestId: string,
    headers: HeaderFields | undefined,
  ) => Response;
}

/** The part of a route that runs after the rate limit. */
export type Admitted = (
  request: BunRequest,
  server: Server,
  requestId: () => string,
) => MaybePromise<Response>;

/** Responds to a fault. */
export type RenderFault = (fault: Fault, request: BunRequest, requestId: string) => Response;

/**
 * Rejects malformed requests, applies the rate limit and turns errors into responses, with
 * `headers` on every failure. `renderFault`: default is the envelope.
 */
export function guarded(
  { gate, onError, keyMeter, watchReader }: RouteBasics,
  budget: Budget,
  headers: HeaderFields | undefined,
  route: Admitted,
  meter?: Meter,
  renderFault: RenderFault = (fault) => failure(fault, headers),
): Route {
  return (request, server) => {
    // Requests for hosted files need an id only when they fail.
    let id: string | undefined =
      budget === "hosting" ? undefined : gate.requestIdOf(request, server);
    const idOf = (): string => {
      id ??= gate.requestIdOf(request, server);
      return id;
    };
    const malformed = validateFraming(request);
    if (malformed !== undefined) return withId(rejectMalformed(malformed, headers), idOf());
    // Requests for hosted files have no bodies, and every microsecond counts.
    const resume = budget === "hosting" ? undefined : pauseIdleTimer(request, server);
    const result = attempt(
      () => chain(gate.admit(request, server, budget), () => route(request, server, idOf)),
      (error) =>
        error instanceof Fault
          ? renderFault(error, request, idOf())
          : onError(error, idOf(), headers),
    );
    return chain(result, (response) => {
      if (resume !== undefined) {
        resume();
        if (!isSmallReply(response)) watchReader(request);
      }
      const { status } = response;
      keyMeter(status, request);
      meter?.(status, request);
      return id !== undefined || status >= 400 ? withId(response, idOf()) : response;
    });
  };
}

function withId(response: Response, id: string): Response {
  response.headers.set(REQUEST_ID, id);
  return response;
}

/** HEAD is handled as GET: the runtime omits the body. */
export function methodOf({ method }: Request): string {
  return method === "HEAD" ? "GET" : method;
}
