import type { Identity } from "../../access/authenticate.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { FileTraffic } from "../../insight/file-traffic.ts";
import type { KeyTraffic } from "../../insight/key-traffic.ts";
import type { Traffic } from "../../insight/traffic.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { RequestKeys } from "./request-keys.ts";

/**
 * Counts requests for files, except those with a session: the dashboard's own views are no traffic. Of a
 * request without a cookie or with an API key, no session is looked up.
 */
export interface RequestTraffic {
  countRequest(status: number, request: Request): void;
  /** Counts the request for a file that is answered without an error, and the bytes of the response. */
  countFile(bytes: number, request: Request, file: FileRecord): void;
  /** Counts bytes of an archive or a version, which are no file. */
  countBytes(bytes: number, request: Request): void;
}

export interface RequestTrafficDeps {
  readonly traffic: Pick<Traffic, "countRequest" | "countBytes">;
  readonly fileTraffic: Pick<FileTraffic, "count">;
  readonly keyTraffic: Pick<KeyTraffic, "countBytes">;
  readonly requestKeys: Pick<RequestKeys, "of">;
  readonly identify: (request: Request) => MaybePromise<Identity | undefined>;
}

export function createRequestTraffic(deps: RequestTrafficDeps): RequestTraffic {
  const { traffic, fileTraffic, keyTraffic, requestKeys, identify } = deps;
  const known = new WeakMap<Request, Promise<boolean>>();

  async function findSession(request: Request): Promise<boolean> {
    try {
      return (await identify(request))?.kind === "session";
    } catch {
      // The catalog does not reply.
      return false;
    }
  }

  /** A zip is counted piece by piece. */
  function hasSession(request: Request): Promise<boolean> {
    const found = known.get(request) ?? findSession(request);
    known.set(request, found);
    return found;
  }

  /** Reading a header costs more than remembering the request, which is looked at twice. */
  let lastWithoutSession: Request | undefined;

  function mayHaveSession(request: Request): boolean {
    if (request === lastWithoutSession) return false;
    const { headers } = request;
    if (headers.get("cookie") !== null && headers.get("api-key") === null) return true;
    lastWithoutSession = request;
    return false;
  }

  function countKeyBytes(bytes: number, request: Request): void {
    const key = requestKeys.of(request);
    if (key !== undefined) keyTraffic.countBytes(key, bytes);
  }

  function countFileBytes(bytes: number, { id }: FileRecord): void {
    traffic.countBytes(bytes);
    fileTraffic.count(id, bytes);
  }

  return {
    countRequest(status, request) {
      // A browser asks before it sends the request itself.
      if (request.method === "OPTIONS") return;
      if (!mayHaveSession(request)) return traffic.countRequest(status);
      void hasSession(request).then((isOwn) => isOwn || traffic.countRequest(status));
    },
    countFile(bytes, request, file) {
      countKeyBytes(bytes, request);
      if (!mayHaveSession(request)) return countFileBytes(bytes, file);
      void hasSession(request).then((isOwn) => isOwn || countFileBytes(bytes, file));
    },
    countBytes(bytes, request) {
      countKeyBytes(bytes, request);
      if (!mayHaveSession(request)) return traffic.countBytes(bytes);
      void hasSession(request).then((isOwn) => isOwn || traffic.countBytes(bytes));
    },
  };
}
