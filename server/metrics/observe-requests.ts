import type { AccessLog } from "./access-log.ts";
import type { RequestCounts } from "./request-counts.ts";

/** Who sent a request. */
export interface Sender {
  readonly client: string;
  readonly keyId: string | undefined;
}

/** Sees each request and its response. */
export interface RequestObserver {
  /** Returns the moment, in milliseconds, that `end` needs. */
  begin(request: Request): number;
  /** The request has its response. */
  end(
    request: Request,
    startedAt: number,
    response: Response,
    route: string,
    sender: () => Sender,
  ): void;
}

export interface ObserverDeps {
  /** undefined: requests are not counted. */
  readonly counts: RequestCounts | undefined;
  /** undefined: they are not logged. */
  readonly accessLog: AccessLog | undefined;
}

export function createRequestObserver({ counts, accessLog }: ObserverDeps): RequestObserver {
  return {
    begin(request) {
      const startedAt = performance.now();
      counts?.started(declaredBytes(request));
      return startedAt;
    },
    end(request, startedAt, response, route, sender) {
      const ms = performance.now() - startedAt;
      counts?.ended(route, response.status, ms / 1000);
      if (accessLog === undefined) return;
      const length = response.headers.get("content-length");
      const { client, keyId } = sender();
      accessLog.write({
        requestId: requestIdIn(response),
        traceparent: traceparentOf(request),
        client,
        keyId,
        method: request.method,
        route,
        path: pathOf(request.url),
        status: response.status,
        bytes: length === null ? null : Number(length),
        ms: Math.round(ms * 1000) / 1000,
      });
    },
  };
}

/** Most requests have no body. Reading their headers would cost as much as all else that is counted. */
function declaredBytes(request: Request): number {
  if (request.method === "GET" || request.method === "HEAD") return 0;
  return Number(request.headers.get("content-length") ?? 0);
}

/** W3C Trace Context has servers ignore other values. They could make the lines of the log very long. */
function traceparentOf({ headers }: Request): string | null {
  const value = headers.get("traceparent");
  return value !== null && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value)
    ? value
    : null;
}

const requestIdIn = ({ headers }: Response): string | undefined =>
  headers.get("x-request-id") ?? headers.get("x-amz-request-id") ?? undefined;

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, query < 0 ? undefined : query);
}
