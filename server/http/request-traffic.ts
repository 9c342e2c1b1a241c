import type { Caller } from "../access/authenticate.ts";
import type { FileTraffic } from "../insight/file-traffic.ts";
import type { KeyTraffic } from "../insight/key-traffic.ts";
import type { Traffic } from "../insight/traffic.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";
import type { FileRecord } from "../rules/records.ts";
import type { Deliver } from "./deliver.ts";
import type { RequestKeys } from "./request-keys.ts";

/**
 * Counts requests for files, except those with a session: the dashboard's own views are no traffic. Of a
 * request without a cookie or with an API key, no session is looked up.
 */
export interface RequestTraffic {
  countRequest(status: number, request: Request): void;
  /** `file`: whose bytes they are; left out of archives. */
  countBytes(bytes: number, request: Request, file?: FileRecord): void;
  /** Counts a request for a file, unless it is answered with an error. */
  countFile(file: FileRecord, status: number, request: Request): void;
}

export interface RequestTrafficParts {
  readonly traffic: Pick<Traffic, "countRequest" | "countBytes">;
  readonly fileTraffic: Pick<FileTraffic, "countRequest" | "countBytes">;
  readonly keyTraffic: Pick<KeyTraffic, "countBytes">;
  readonly requestKeys: Pick<RequestKeys, "of">;
  readonly identify: (request: Request) => MaybePromise<Caller | undefined>;
}

export function createRequestTraffic(parts: RequestTrafficParts): RequestTraffic {
  const { traffic, fileTraffic, keyTraffic, requestKeys, identify } = parts;
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

  const mayHaveSession = ({ headers }: Request): boolean =>
    headers.get("cookie") !== null && headers.get("api-key") === null;

  function unlessOwn(request: Request, count: () => void): void {
    if (!mayHaveSession(request)) count();
    else void hasSession(request).then((isOwn) => isOwn || count());
  }

  return {
    countRequest(status, request) {
      unlessOwn(request, () => traffic.countRequest(status));
    },
    countBytes(bytes, request, file) {
      const key = requestKeys.of(request);
      if (key !== undefined) keyTraffic.countBytes(key, bytes);
      unlessOwn(request, () => {
        traffic.countBytes(bytes);
        if (file !== undefined) fileTraffic.countBytes(file.id, bytes);
      });
    },
    countFile({ id }, status, request) {
      if (status < 400) unlessOwn(request, () => fileTraffic.countRequest(id));
    },
  };
}

/** Counts the requests for the files that are delivered. */
export function countDelivered(
  deliver: Deliver,
  { countFile }: Pick<RequestTraffic, "countFile">,
): Deliver {
  return (file, request, disposition) =>
    chain(deliver(file, request, disposition), (response) => {
      countFile(file, response.status, request);
      return response;
    });
}
