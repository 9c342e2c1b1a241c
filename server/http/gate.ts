import type { Access, Budget } from "../../contract/operation.ts";
import type { Authenticate, Caller } from "../access/caller.ts";
import { sameOrigin } from "../access/origin.ts";
import type { ClientAddress } from "../limits/client-address.ts";
import { rateKey } from "../limits/client-address.ts";
import type { RateLimit } from "../limits/port.ts";
import { Fault } from "../rules/fault.ts";

/** What the server tells of a connection. */
export interface Connection {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Lets requests in: whose they are, whether they come too often, who is calling. */
export interface Gate {
  /** The client's address. Fault "limited": too many requests within the window. */
  admit(request: Request, connection: Connection, budget: Budget): Promise<string>;
  /** Fault "unauthorized": the access that is asked for needs a caller, and there is none. */
  enter(request: Request, access: Access): Promise<Caller | undefined>;
  /** Who calls, if anyone does. */
  identify(request: Request): Promise<Caller | undefined>;
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

  const identify = (request: Request): Promise<Caller | undefined> =>
    authenticate({
      ...originOf(request, publicOrigin),
      apiKey: request.headers.get("api-key"),
      cookie: request.headers.get("cookie"),
      secure,
    });

  return {
    identify,
    async admit(request, connection, budget) {
      const socket = connection.requestIP(request)?.address ?? "";
      const client = clientAddress(socket, request.headers.get("x-forwarded-for"));
      const verdict = await limits[budget].take(rateKey(client));
      if (!verdict.allowed) {
        const { retryAfter } = verdict;
        throw new Fault("limited", `Too many requests. Try again in ${retryAfter} s.`, {
          retryAfter,
        });
      }
      return client;
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

const unauthorized = (): Fault => new Fault("unauthorized", "Unauthorized");

function originOf(request: Request, publicOrigin: string | null) {
  const { headers } = request;
  return {
    method: request.method,
    host: headers.get("host"),
    origin: headers.get("origin"),
    secFetchSite: headers.get("sec-fetch-site"),
    publicOrigin,
  };
}
