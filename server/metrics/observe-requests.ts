import type { AccessLog } from "./access-log.ts";
import type { RequestCounts } from "./request-counts.ts";

/** What a request is seen as. */
export interface Observed {
  readonly request: Request;
  readonly route: string;
  readonly client: string;
  readonly keyId: string | undefined;
}

/** Sees each request and its response. */
export interface RequestObserver {
  /** Call the result when the request has its response. */
  begin(request: Request): (response: Response, observed: Omit<Observed, "request">) => void;
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
      counts?.started(Number(request.headers.get("content-length") ?? 0));
      return (response, { route, client, keyId }) => {
        const ms = performance.now() - startedAt;
        counts?.ended(route, response.status, ms / 1000);
        if (accessLog === undefined) return;
        const length = response.headers.get("content-length");
        accessLog.write({
          requestId: requestIdIn(response),
          traceparent: request.headers.get("traceparent"),
          client,
          keyId,
          method: request.method,
          route,
          path: pathOf(request.url),
          status: response.status,
          bytes: length === null ? null : Number(length),
          ms: Math.round(ms * 1000) / 1000,
        });
      };
    },
  };
}

const requestIdIn = ({ headers }: Response): string | undefined =>
  headers.get("x-request-id") ?? headers.get("x-amz-request-id") ?? undefined;

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, query < 0 ? undefined : query);
}
