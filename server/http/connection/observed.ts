import { operations } from "../../../contract/operations.ts";
import { attempt, chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { RequestObserver } from "../../metrics/observe-requests.ts";
import type { Gate } from "./gate.ts";
import type { RequestKeys } from "./request-keys.ts";
import { methodOf, type Server } from "./route.ts";

export type Handler<R extends Request> = (request: R, server: Server) => MaybePromise<Response>;

/** The handler of the route with this path, whose requests are counted or logged. */
export type Observe = <R extends Request>(handler: Handler<R>, path: string) => Handler<R>;

/** Which operation of the S3 API a request is for: any path may be one of its requests. */
export interface S3Operations {
  note(request: Request, name: string): void;
  of(request: Request): string | undefined;
}

export function createS3OperationNames(): S3Operations {
  const names = new WeakMap<Request, string>();
  return {
    note: (request, name) => void names.set(request, name),
    of: (request) => names.get(request),
  };
}

interface ObserveDeps {
  readonly observer: RequestObserver;
  readonly gate: Pick<Gate, "clientOf">;
  readonly requestKeys: Pick<RequestKeys, "of">;
  readonly s3Operations: Pick<S3Operations, "of">;
}

/** A route is named by its operation, and so are all depths of a path. */
export function createObserve({ observer, gate, requestKeys, s3Operations }: ObserveDeps): Observe {
  return (handler, path) => {
    const names = namesOf(path);
    const plain = plainName(path);
    return (request, server) => {
      const startedAt = observer.begin(request);
      const ended = (response: Response): Response => {
        const route = s3Operations.of(request) ?? names.get(methodOf(request)) ?? plain;
        observer.end(request, startedAt, response, route, () => ({
          client: gate.clientOf(request, server),
          keyId: requestKeys.of(request),
        }));
        return response;
      };
      const response = attempt(
        () => handler(request, server),
        (error) => {
          ended(new Response(null, { status: 500 }));
          throw error;
        },
      );
      return chain(response, ended);
    };
  };
}

/** The ids of the operations of a path, by method. */
function namesOf(path: string): Map<string, string> {
  const named = Object.values(operations).filter(
    (operation) => operation.path.replace(/\{(\w+)\}/g, ":$1") === path,
  );
  return new Map(named.map(({ method, id }) => [method, id]));
}

function plainName(path: string): string {
  if (path.startsWith("/api/hosting")) return "hostFile";
  if (path === "/s" || path.startsWith("/s/")) return "link";
  return path;
}
