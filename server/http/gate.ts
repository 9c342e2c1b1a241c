import type { Access, Budget } from "../../contract/operation.ts";
import type { Authenticate, Caller } from "../access/authenticate.ts";
import { sameOrigin } from "../access/origin.ts";
import type { ClientAddress } from "../limits/client-address.ts";
import { rateKey } from "../limits/client-address.ts";
import { type RateLimit, unlimited, type Verdict } from "../limits/port.ts";
import { Fault } from "../rules/fault.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";

/** What the server tells of a connection. */
export interface Connection {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Lets requests in: whose they are, whether they come too often, who is calling. */
export interface Gate {
  /** The client's address. */
  clientOf(request: Request, connection: Connection): string;
  /** Counts a request. Fault "rate_limited": too many within the window. */
  admit(request: Request, connection: Connection, budget: Budget): MaybePromise<void>;
  /** Fault "unauthorized": the access that is asked for needs a caller, and there is none. */
  enter(request: Request, access: Access): Promise<Caller | undefined>;
  /** Who calls, if anyone does. */
  identify(request: Request): MaybePromise<Caller | undefined>;
}

export interface GateParts {
  readonly authenticate: Authenticate;
  readonly clientAddress: ClientAddress;
  readonly limits: Readonly<Record<Budget, RateLimit>>;
  /** Where users reach the site; null: wherever the request says. */
  readonly publicOrigin: string | null;
}

export function createGate(parts: GateParts): Gate {
  const { authenticate, clientAddress, limits, publicOrigin } = parts;
  const secure = publicOrigin?.startsWith("https:") ?? false;

  const identify = (request: Request): MaybePromise<Caller | undefined> => {
    const apiKey = request.headers.get("api-key");
    const cookie = request.headers.get("cookie");
    // Most readers of public addresses bring neither.
    if (apiKey === null && cookie === null) return undefined;
    return authenticate({ ...originOf(request, publicOrigin), apiKey, cookie, secure });
  };

  const clientOf = (request: Request, connection: Connection): string =>
    clientAddress(
      connection.requestIP(request)?.address ?? "",
      request.headers.get("x-forwarded-for"),
    );

  return {
    identify,
    clientOf,
    admit(request, connection, budget) {
      const limit = limits[budget];
      if (limit === unlimited) return;
      return chain(limit.take(rateKey(clientOf(request, connection))), refuseLimited);
    },
    async enter(request, access) {
      if (access === "anyone") {
        if (!sameOrigin(originOf(request, publicOrigin))) throw unauthorized();
        return undefined;
      }
      const caller = await identify(request);
      if (caller === undefined || (access === "account" && caller.kind !== "session")) {
        throw unauthorized();
      }
      return caller;
    },
  };
}

function refuseLimited(verdict: Verdict): void {
  if (verdict.allowed) return;
  const { retryAfter } = verdict;
  throw new Fault("rate_limited", `Too many requests. Try again in ${retryAfter} s.`, {
    retryAfter,
  });
}

const unauthorized = (): Fault => new Fault("unauthorized", "Unauthorized");

function originOf(request: Request, publicOrigin: string | null) {
  const { headers } = request;
  return {
    method: request.method,
    host: headers.get("host"),
    origin: headers.get("origin"),
    secFetchSite: headers.get("sec-fetch-site"),
    secFetchDest: headers.get("sec-fetch-dest"),
    publicOrigin,
  };
}
