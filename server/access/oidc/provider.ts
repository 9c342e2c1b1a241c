import type * as OAuth from "oauth4webapi";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import { OutgoingFailure } from "../../outgoing/outgoing-failure.ts";
import type { OidcSettings } from "./oidc-settings.ts";
import { isSubject, type Person, personOf } from "./person.ts";
import { invalidAnswer, toProviderFault } from "./provider-fault.ts";
import { createProviderFetch } from "./provider-fetch.ts";

/**
 * The OpenID Connect provider of the instance. Every method may throw a fault: "unavailable" while the provider
 * does not answer as it should; "unauthorized" with the code "invalid_token" or "provider_refused".
 */
export interface Provider {
  /** The URL at which the person signs in. */
  authorizationUrl(attempt: Attempt): Promise<string>;
  /** Checks the query of the callback, and redeems its code. */
  redeem(query: URLSearchParams, attempt: Attempt): Promise<Person>;
  /** The URL at which the browser signs out at the provider, too. null: the provider has no such page. */
  signOutUrl(): Promise<string | null>;
}

/** Secrets of one sign-in, which begins and ends in the same browser. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface ProviderDeps {
  readonly settings: OidcSettings;
  readonly outgoing: Pick<Outgoing, "send">;
  /** The address of this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly now: () => number;
  readonly onError: (message: string, cause: unknown) => void;
}

/** How far the clocks of the provider and of this server may be apart, in seconds. */
const CLOCK_TOLERANCE = 60;
/** How long the metadata is used before it is fetched again. */
const METADATA_MS = 10 * 60_000;

export function createProvider(deps: ProviderDeps): Provider {
  const { settings, publicUrl, now, onError } = deps;
  const redirectUri = `${publicUrl}/auth/oidc/callback`;
  const fetchFromProvider = createProviderFetch(deps.outgoing);
  let cached: { server: Promise<OAuth.AuthorizationServer>; fetchedAt: number } | undefined;

  /** Instances without a provider never load the library. */
  const load = () => import("oauth4webapi");

  const optionsWith = (oauth: typeof OAuth) => ({
    [oauth.customFetch]: fetchFromProvider,
    [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
  });

  async function discover(): Promise<OAuth.AuthorizationServer> {
    const oauth = await load();
    const issuer = new URL(settings.issuer);
    const response = await oauth.discoveryRequest(issuer, optionsWith(oauth));
    try {
      return await oauth.processDiscoveryResponse(issuer, response);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "";
      throw new OutgoingFailure("broken", `The metadata of OIDC_ISSUER is not valid: ${reason}`);
    }
  }

  function metadata(): Promise<OAuth.AuthorizationServer> {
    if (cached === undefined || now() - cached.fetchedAt >= METADATA_MS) {
      const current = { server: discover(), fetchedAt: now() };
      cached = current;
      current.server.catch(() => {
        if (cached === current) cached = undefined;
      });
    }
    return cached.server;
  }

  async function orFault<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw toProviderFault(await load(), cause, onError);
    }
  }

  /** The claims of the ID token, and those that the provider gives only in the user info. */
  async function claimsOf(
    oauth: typeof OAuth,
    server: OAuth.AuthorizationServer,
    client: OAuth.Client,
    answer: OAuth.TokenEndpointResponse,
  ): Promise<OAuth.IDToken> {
    const token = oauth.getValidatedIdTokenClaims(answer);
    if (token === undefined || !isSubject(token.sub)) throw invalidAnswer();
    const isWhole = token.email !== undefined && token[settings.groupsClaim] !== undefined;
    if (isWhole || server.userinfo_endpoint === undefined) return token;
    const options = optionsWith(oauth);
    const response = await oauth.userInfoRequest(server, client, answer.access_token, options);
    const isSigned = response.headers.get("content-type")?.startsWith("application/jwt") ?? false;
    const info = await oauth.processUserInfoResponse(server, client, token.sub, response);
    if (isSigned) await oauth.validateApplicationLevelSignature(server, response, options);
    // An address and whether it was verified belong together.
    const { email, email_verified, ...others } = token;
    return { ...info, ...others, ...(email === undefined ? {} : { email, email_verified }) };
  }

  return {
    authorizationUrl: ({ state, nonce, verifier }) =>
      orFault(async () => {
        const server = await metadata();
        const oauth = await load();
        const url = endpoint(server.authorization_endpoint, settings);
        const parameters = {
          response_type: "code",
          client_id: settings.clientId,
          redirect_uri: redirectUri,
          scope: scopesOf(server),
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return url.href;
      }),

    redeem: (query, { state, nonce, verifier }) =>
      orFault(async () => {
        const server = await metadata();
        const oauth = await load();
        const options = optionsWith(oauth);
        const client: OAuth.Client = {
          client_id: settings.clientId,
          [oauth.clockTolerance]: CLOCK_TOLERANCE,
        };
        const checked = oauth.validateAuthResponse(server, client, query, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuthentication(oauth, server, settings),
          checked,
          redirectUri,
          verifier,
          options,
        );
        const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        });
        // The library takes the connection to the provider for proof enough, unless it is told to check.
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = await claimsOf(oauth, server, client, answer);
        return personOf(claims.iss, claims.sub, claims, settings);
      }),

    signOutUrl: () =>
      orFault(async () => {
        const { end_session_endpoint: page } = await metadata();
        if (page === undefined) return null;
        const url = endpoint(page, settings);
        url.searchParams.set("client_id", settings.clientId);
        url.searchParams.set("post_logout_redirect_uri", `${publicUrl}/sign-in`);
        return url.href;
      }),
  };
}

/** A page of the provider. It is as safe as the issuer, so that it is no `javascript:` URL either. */
function endpoint(text: string | undefined, { issuer }: OidcSettings): URL {
  const url = URL.parse(text ?? "");
  const isSafe =
    url !== null &&
    (url.protocol === "https:" || (url.protocol === "http:" && issuer.startsWith("http:")));
  if (!isSafe) throw new OutgoingFailure("broken", "A page of the provider has no safe address.");
  return url;
}

/** Some providers give groups only to clients that ask for them. */
const scopesOf = ({ scopes_supported: known }: OAuth.AuthorizationServer): string =>
  ["openid", "profile", "email", ...(known?.includes("groups") ? ["groups"] : [])].join(" ");

/** In the way that the provider knows; without a list of ways, as its specification says. */
function clientAuthentication(
  oauth: typeof OAuth,
  { token_endpoint_auth_methods_supported: known }: OAuth.AuthorizationServer,
  { clientSecret }: OidcSettings,
): OAuth.ClientAuth {
  const takesBasic = known === undefined || known.includes("client_secret_basic");
  return takesBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}
