import type { BunRequest } from "bun";
import type { Budget, Method } from "../../contract/operation.ts";
import { Fault } from "../rules/fault.ts";
import { attempt, chain, type MaybePromise } from "../rules/maybe-promise.ts";
import type { Connection, Gate } from "./gate.ts";
import { failure, type HeaderFields } from "./reply.ts";
import { refusal, validateFraming } from "./validate-framing.ts";

/** What the runtime's server offers to a request. */
export interface Server extends Connection {
  timeout(request: Request, seconds: number): void;
}

export type Route = (request: BunRequest, server: Server) => MaybePromise<Response>;

/** Hears of the status of each answer. */
export type Meter = (status: number) => void;

/** What every route needs. */
export interface RouteBasics {
  /** Of routes that serve files. */
  readonly meter: Meter;
  readonly gate: Gate;
  /** As of the settings: to be awaited by what goes by them. */
  readonly freshSettings: () => Promise<void> | undefined;
  /** Renders what is no fault: logs it, answers 500. */
  readonly onError: (error: unknown, headers: HeaderFields | undefined) => Response;
}

export type Admitted = (request: BunRequest, server: Server) => MaybePromise<Response>;

/**
 * A route that counts its requests against the budget and renders whatever goes wrong, with
 * `headers` on every failure. `meter` hears how each was answered.
 */
export function guarded(
  { gate, onError }: RouteBasics,
  budget: Budget,
  headers: HeaderFields | undefined,
  route: Admitted,
  meter?: Meter,
): Route {
  const render = (error: unknown): Response =>
    error instanceof Fault ? failure(error, headers) : onError(error, headers);

  return (request, server) => {
    const flaw = validateFraming(request);
    if (flaw !== undefined) return refusal(flaw, headers);
    const answer = attempt(
      () => chain(gate.admit(request, server, budget), () => route(request, server)),
      render,
    );
    if (meter === undefined) return answer;
    return chain(answer, (response) => {
      meter(response.status);
      return response;
    });
  };
}

/** HEAD is GET without the body, which the runtime leaves out by itself. */
export function methodOf({ method }: Request): Method {
  return method === "HEAD" ? "GET" : (method as Method);
}
