import type { Budget } from "../../../contract/operation.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { attempt, chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import type { Connection, Gate } from "./gate.ts";
import { type IdleTimer, pauseIdleTimer } from "./pause-idle-timer.ts";
import { failure, type HeaderFields, isSmallReply, unexpectedError } from "./reply.ts";
import { REQUEST_ID } from "./request-id.ts";
import { closing, validateFraming } from "./validate-framing.ts";

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
  /** Logs an error that is not a fault. */
  readonly onError: (error: unknown, requestId: string) => void;
}

/** The part of a route that runs after the rate limit. */
export type Admitted<R extends Request = BunRequest> = (
  request: R,
  server: Server,
  requestId: () => string,
) => MaybePromise<Response>;

/** Responds to a fault. */
export type RenderFault<R extends Request = BunRequest> = (
  fault: Fault,
  request: R,
  requestId: string,
) => Response;

/** Responds in the place of a route. */
export interface Renderers<R extends Request = BunRequest> {
  readonly fault: RenderFault<R>;
  /** After an error that is not a fault, which has been logged. */
  readonly unexpected: (request: R, requestId: string) => Response;
  /** To a request whose framing is unsafe. */
  readonly malformed: RenderFault<R>;
}

/** The envelopes of the API, with `headers`. */
export const envelopes = (headers: HeaderFields | undefined): Renderers<Request> => ({
  fault: (fault) => failure(fault, headers),
  unexpected: () => unexpectedError(headers),
  malformed: (fault) => failure(fault, headers),
});

/** The course that requests take in one part of the site. */
export interface Course<R extends Request> {
  readonly budget: Budget;
  readonly serve: Admitted<R>;
  readonly render: Renderers<R>;
  readonly meter?: Meter | undefined;
  /** The response header with the id of the request. */
  readonly idHeader?: string;
}

/**
 * Rejects malformed requests, applies the rate limit, turns errors into responses, and counts: what the API, the S3
 * API, links and hosted files have in common.
 */
export function guarded<R extends Request = BunRequest>(
  { gate, onError, keyMeter, watchReader }: GuardedDeps,
  { budget, serve, render, meter, idHeader = REQUEST_ID }: Course<R>,
): (request: R, server: Server) => MaybePromise<Response> {
  const withId = (response: Response, id: string): Response => {
    response.headers.set(idHeader, id);
    return response;
  };
  return (request, server) => {
    // Requests for hosted files need an id only when they fail.
    let id: string | undefined =
      budget === "hosting" ? undefined : gate.requestIdOf(request, server);
    const idOf = (): string => {
      id ??= gate.requestIdOf(request, server);
      return id;
    };
    const malformed = validateFraming(request);
    if (malformed !== undefined) {
      return closing(withId(render.malformed(malformed, request, idOf()), idOf()));
    }
    // Requests for hosted files have no bodies, and every microsecond counts.
    const resume = budget === "hosting" ? undefined : pauseIdleTimer(request, server);
    const result = attempt(
      () => chain(gate.admit(request, server, budget), () => serve(request, server, idOf)),
      (error) => {
        if (error instanceof Fault) return render.fault(error, request, idOf());
        onError(error, idOf());
        return render.unexpected(request, idOf());
      },
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

interface GuardedDeps extends Pick<RouteBasics, "keyMeter" | "watchReader" | "onError"> {
  readonly gate: Pick<Gate, "admit" | "requestIdOf">;
}

/** HEAD is handled as GET: the runtime omits the body. */
export function methodOf({ method }: Request): string {
  return method === "HEAD" ? "GET" : method;
}
