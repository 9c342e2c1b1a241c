import type { IncomingMessage, ServerResponse } from "node:http";
import { OAuth2Server } from "oauth2-mock-server";
import { Provider } from "oidc-provider";
import { freePort } from "../test/free-port.fixture.ts";

/** Browsers take it for another site than the server's, so that cookies meet what they meet in real life. */
const HOST = "localhost";

export interface RealProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

/**
 * `oidc-provider`, certified for OpenID Connect. Any name signs in without a password, is the subject, and has an
 * address at example.org; "root" is in the group "admins".
 */
export async function startOidcProvider(publicUrl: string): Promise<RealProvider> {
  const port = await freePort();
  const issuer = `http://${HOST}:${port}`;
  const [clientId, clientSecret] = ["holdall", "a secret of the provider"];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
      },
    ],
    scopes: ["openid", "profile", "email", "groups"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    pkce: { required: () => true },
    cookies: { keys: ["a key for cookies"] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(context, form) {
          context.body = `<!doctype html><title>Provider</title>${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.org`,
        email_verified: true,
        groups: id === "root" ? ["admins"] : [],
      }),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId,
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) return next();
    await interact(provider, context);
  });
  const server = provider.listen(port);
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    issuer,
    clientId,
    clientSecret,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface PageContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  type: string;
  body: unknown;
}

/** The provider's own sign-in page. */
async function interact(provider: Provider, context: PageContext): Promise<void> {
  const { req, res } = context;
  const { searchParams } = new URL(req.url ?? "", "http://localhost");
  const accountId = searchParams.get("name");
  if (searchParams.has("cancel")) {
    return provider.interactionFinished(req, res, { error: "access_denied" });
  }
  if (accountId !== null) {
    return provider.interactionFinished(req, res, { login: { accountId } });
  }
  context.type = "html";
  context.body = `<!doctype html><title>Provider</title><form>
<label>Name <input name="name"></label><button>Continue</button>
<button name="cancel" value="1">Cancel</button></form>`;
}

/** `oauth2-mock-server`, which signs in without a question. */
export async function startMockServer(): Promise<RealProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  const port = await freePort();
  await server.start(port, HOST);
  server.service.on("beforeTokenSigning", (token) => {
    Object.assign(token.payload, {
      email: "mona@example.org",
      email_verified: true,
      groups: ["admins"],
    });
  });
  const { url: issuer = "" } = server.issuer;
  return { issuer, clientId: "holdall", clientSecret: "any", stop: () => server.stop() };
}
