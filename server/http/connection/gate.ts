import type { Access, Budget } from "../../../contract/operation.ts";
import {
  type Authenticate,
  type Identity,
  type RequestCredentials,
  sessionTokenOf,
} from "../../access/authenticate.ts";
import { sameOrigin } from "../../access/origin.ts";
import { requireRights, SPACE_PARAMETER } from "../../access/people/require-rights.ts";
import { readSessionToken } from "../../access/session-cookie.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { createOpenBodies } from "../../limits/open-bodies.ts";
import { type LimitName, type RateLimit, unlimited, type Verdict } from "../../limits/port.ts";
import type { ClientAddress, IsTrustedProxy } from "../../limits/trusted-proxies.ts";
import { rateKey } from "../../limits/trusted-proxies.ts";
import { createRequestClients } from "./request-clients.ts";
import { requestIdOf } from "./request-id.ts";
import type { RequestKeys } from "./request-keys.ts";
import { createSessionLimit } from "./session-limit.ts";
import type { Turns } from "./turns.ts";

/** The part of the runtime's server that knows the connection of a request. */
export interface Connection {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Admits requests: identifies the client, applies the rate limits, authenticates the caller. */
export interface Gate {
  /** The id of a request, which its response and the log have; see `request-id.ts`. */
  requestIdOf(request: Request, connection: Connection): string;
  /** The client's address. */
  clientOf(request: Request, connection: Connection): string;
  /**
   * Counts a request against the limit of its session if `budget` is "api" or "hosting" and it has a
   * live one, otherwise against the client's. Fault "rate_limited": the limit is exceeded.
   */
  admit(request: Request, connection: Connection, budget: Budget): MaybePromise<void>;
  /**
   * Reserves a place for the body of a request whose sender is unknown. Call the result when it is read.
   * Fault "rate_limited": the client sends too many bodies.
   */
  openBody(request: Request, connection: Connection): () => void;
  /**
   * Runs `work` in the turn of the client: of the API key or session whose credentials the request has,
   * or of its address. Faults: those of `Turns`.
   */
  inTurn<T>(request: Request, connection: Connection, work: () => MaybePromise<T>): Promise<T>;
  /** `enter` in the turn of the client, which takes far less than a millisecond. */
  enterInTurn(
    request: Request,
    connection: Connection,
    access: Access,
  ): Promise<Identity | undefined>;
  /** Notes who has sent the request. */
  note(request: Request, identity: Identity): void;
  /**
   * Authenticates the caller. Faults: "unauthorized": `access` needs credentials that are not given; those of
   * `requireRights`.
   */
  enter(request: Request, access: Access): Promise<Identity | undefined>;
  /** Whether the request has a session cookie. Gives no access: the session may have ended. */
  hasSession(request: Request): boolean;
  /** Authenticates the caller; undefined without valid credentials. */
  identify(request: Request): MaybePromise<Identity | undefined>;
  /**
   * Authenticates the caller by the API key in `API-Key` or in `Authorization: Bearer`; undefined without a
   * valid one. Cookies do not count.
   */
  identifyKey(request: Request): Promise<Identity | undefined>;
  /** Whether the request may come from a page of this site, or from no page. */
  isSameOrigin(request: Request): boolean;
}

export interface GateDeps {
  readonly authenticate: Authenticate;
  readonly clientAddress: ClientAddress;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
  readonly requestKeys: Pick<RequestKeys, "note">;
  readonly turns: Turns;
  /** The origin of the public URL; null: the origin that the request names. */
  readonly publicOrigin: string | null;
}

export function createGate(deps: GateDeps): Gate {
  const { authenticate, clientAddress, isTrustedProxy, limits, publicOrigin, requestKeys, turns } =
    deps;
  const secure = publicOrigin?.startsWith("https:") ?? false;

  /** undefined: the request has neither a key nor a cookie, like most requests for public files. */
  const credentialsOf = (request: Request): RequestCredentials | undefined => {
    const apiKey = request.headers.get("api-key");
    const cookie = request.headers.get("cookie");
    if (apiKey === null && cookie === null) return undefined;
    const space = cookie === null ? null : spaceOf(request);
    return { ...originOf(request, publicOrigin), apiKey, cookie, secure, space };
  };

  async function identifyKey(request: Request): Promise<Identity | undefined> {
    const apiKey = request.headers.get("api-key") ?? bearerOf(request);
    if (apiKey === undefined) return undefined;
    const origin = originOf(request, publicOrigin);
    const identity = await authenticate({ ...origin, apiKey, cookie: null, secure });
    if (identity !== undefined) note(request, identity);
    return identity;
  }

  const openBody = createOpenBodies();
  const clients = createRequestClients();

  function note(request: Request, identity: Identity): void {
    requestKeys.note(request, identity);
    clients.note(request, identity);
  }

  /** What may authenticate the request, which nothing has checked. */
  function credentialsIn({ headers }: Request): string | undefined {
    const text = headers.get("api-key") ?? readSessionToken(headers.get("cookie"), { secure });
    return text ?? S3_CREDENTIALS.exec(headers.get("authorization") ?? "")?.[1];
  }

  const sessionLimit = createSessionLimit({ limit: limits.sessions, authenticate });

  const identify = (request: Request): MaybePromise<Identity | undefined> => {
    const credentials = credentialsOf(request);
    if (credentials === undefined) return undefined;
    const token = sessionTokenOf(credentials);
    return chain(authenticate(credentials), (identity) => {
      if (identity !== undefined) note(request, identity);
      if (token !== undefined && identity?.kind === "session") {
        sessionLimit.cacheToken(token, identity.session.id);
      }
      return identity;
    });
  };

  /** undefined: not a request of a live session. */
  function takeFromSession(
    request: Request,
    client: string,
    budget: Budget,
  ): MaybePromise<Verdict | undefined> {
    if ((budget !== "api" && budget !== "hosting") || !request.headers.has("cookie")) {
      return undefined;
    }
    const credentials = credentialsOf(request);
    const token = credentials && sessionTokenOf(credentials);
    if (credentials === undefined || token === undefined) return undefined;
    return sessionLimit.take({ token, credentials, client });
  }

  /** The runtime takes some microseconds for the address of a connection. */
  const addresses = new WeakMap<Request, string>();

  function clientOf(request: Request, connection: Connection): string {
    const known = addresses.get(request);
    if (known !== undefined) return known;
    const connected = connection.requestIP(request)?.address ?? "";
    const client = clientAddress(connected, request.headers.get("x-forwarded-for"));
    // Without one the connection has ended, which no later call can be sure of.
    if (connected !== "") addresses.set(request, client);
    return client;
  }

  /** Whose turn a request takes. */
  function turnOf(request: Request, connection: Connection): string {
    const address = rateKey(clientOf(request, connection));
    return clients.of(request, { address, credentials: credentialsIn(request) });
  }

  async function enter(request: Request, access: Access): Promise<Identity | undefined> {
    // The secret in the URL is the credential, and no cookie counts: pages of any origin may use it.
    if (access === "token") return undefined;
    if (access === "anyone") {
      if (!sameOrigin(originOf(request, publicOrigin))) throw unauthorized();
      return undefined;
    }
    const identity = await identify(request);
    if (identity === undefined || (access === "account" && identity.kind !== "session")) {
      throw unauthorized();
    }
    if (access === "caller") requireRights(identity);
    return identity;
  }

  return {
    identify,
    identifyKey,
    isSameOrigin: (request) => sameOrigin(originOf(request, publicOrigin)),
    note,
    requestIdOf: (request, connection) =>
      requestIdOf(request, () => isTrustedProxy(connection.requestIP(request)?.address ?? "")),
    clientOf,
    inTurn: (request, connection, work) => turns.run(turnOf(request, connection), request, work),
    enterInTurn: (request, connection, access) =>
      turns.runShort(turnOf(request, connection), request, () => enter(request, access)),
    hasSession: (request) =>
      readSessionToken(request.headers.get("cookie"), { secure }) !== undefined,
    admit(request, connection, budget) {
      const limit = limits[budget];
      if (limit === unlimited) return;
      const client = rateKey(clientOf(request, connection));
      return chain(
        chain(takeFromSession(request, client, budget), (own) => own ?? limit.take(client)),
        throwIfLimited,
      );
    },
    openBody: (request, connection) => openBody(rateKey(clientOf(request, connection))),
    enter,
  };
}

/** The id of the space that a member's request names: browsers load pictures without headers. */
function spaceOf({ headers, url }: Request): string | null {
  const named = headers.get("holdall-space");
  if (named !== null) return named;
  const start = url.indexOf("?");
  return start < 0 ? null : new URLSearchParams(url.slice(start)).get(SPACE_PARAMETER);
}

/** The token of `Authorization: Bearer`; undefined: there is none. */
const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/** The access key of a signed request of the S3 API. */
const S3_CREDENTIALS = /^AWS4-HMAC-SHA256\s.*?\bCredential=([^/\s,]+)/;

function throwIfLimited(verdict: Verdict): void {
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
