import { AddressError } from "../../domain/listen-address.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { type ErrorLike, serve } from "../../runtime/serve.ts";
import type { Server } from "../connection/route.ts";
import { watchReaders } from "../connection/watch-readers.ts";

/** A listener on which every request is one of the S3 API. */
export interface S3Listener {
  pendingRequests(): number;
  /** As `HttpServer.watchReader`. false: the request came in at another port. */
  watchReader(request: Request): boolean;
  /** null: the connection is closed, or the request came in at another port. */
  requestIP(request: Request): { readonly address: string } | null;
  /** Replaces the handler, when the server drains. */
  closeConnections(wrap: (handler: Handler) => Handler): void;
  /** `closes`: without waiting for the pending requests. */
  stop(closes: boolean): Promise<void>;
}

type Handler = (request: Request, server: Server) => MaybePromise<Response>;

interface Options {
  readonly idleTimeout: number;
  readonly maxRequestBodySize: number;
  readonly error: (error: ErrorLike) => Response;
  readonly hostname: string;
  readonly port: number;
  readonly reusePort: boolean;
}

/** Throws AddressError: the port cannot be used. */
export function listenS3(serveAll: Handler, options: Options): S3Listener {
  const requests = new WeakSet<Request>();
  const fetch: Handler = (request, server) => {
    requests.add(request);
    return serveAll(request, server);
  };
  const server = start(options, fetch);
  const readers = watchReaders(server);
  return {
    pendingRequests: () => server.pendingRequests,
    watchReader(request) {
      const isOwn = requests.has(request);
      if (isOwn) readers.watch(request);
      return isOwn;
    },
    requestIP: (request) => (requests.has(request) ? server.requestIP(request) : null),
    closeConnections: (wrap) => server.reload({ fetch: wrap(fetch), error: options.error }),
    async stop(closes) {
      if (closes) readers.stop();
      await server.stop(closes);
    },
  };
}

function start(options: Options, fetch: Handler) {
  try {
    return serve({ ...options, fetch });
  } catch (cause) {
    throw new AddressError("S3_PORT", String(options.port), cause);
  }
}
