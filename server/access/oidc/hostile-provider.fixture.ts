import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

/** Things that the provider does differently. Everything left out is right. */
export interface Lies {
  /** Merged into the claims of the ID token; undefined removes one. */
  readonly claims?: Json;
  /** Merged into the header of the ID token. */
  readonly header?: Json;
  /** Replaces the signature. */
  readonly signature?: "none" | "foreign key" | "hmac with the public key";
  /** Replaces the ID token. */
  readonly idToken?: string;
  /** Replaces parts of the metadata. */
  readonly metadata?: Json;
  readonly userInfo?: Json;
  /** Replaces the whole response of a path. */
  readonly respond?: Readonly<
    Record<string, (response: ServerResponse, request: IncomingMessage) => void>
  >;
}

export interface HostileProvider {
  readonly issuer: string;
  /** Takes effect at once. */
  lie(lies: Lies): void;
  /** Only where this code is redeemed. */
  lieTo(code: string, lies: Lies): void;
  /** Signs with a new key from now on. */
  rotateKey(): void;
  /** The paths of the requests so far. */
  readonly requests: string[];
  /** Signs in at the authorization URL as a browser would. Returns the URL of the callback. */
  signIn(authorizationUrl: string): Promise<string>;
  stop(): Promise<void>;
}

export const CLIENT = { clientId: "holdall", clientSecret: "a secret & more" };

/** An OpenID Connect provider that signs whatever the test tells it to. */
export async function startHostileProvider(port = 0): Promise<HostileProvider> {
  let lies: Lies = {};
  const liesTo = new Map<string, Lies>();
  let key = newKey();
  const foreign = newKey();
  const requests: string[] = [];
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  let issuer = "";

  const metadata = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ["RS256"],
    ...lies.metadata,
  });

  function idToken(nonce: string, own: Lies): string {
    const now = Math.floor(Date.now() / 1000);
    const claims: Json = {
      iss: issuer,
      sub: "ada",
      aud: CLIENT.clientId,
      nonce,
      iat: now,
      exp: now + 300,
      email: "ada@example.com",
      email_verified: true,
      groups: ["staff"],
      ...own.claims,
    };
    const header = { alg: "RS256", kid: key.kid, ...lies.header };
    const content = `${encode(header)}.${encode(claims)}`;
    return `${content}.${signatureOf(content)}`;
  }

  function signatureOf(content: string): string {
    if (lies.signature === "none") return "";
    if (lies.signature === "hmac with the public key") {
      const pem = key.publicKey.export({ type: "spki", format: "pem" });
      return new Bun.CryptoHasher("sha256", pem).update(content).digest("base64url");
    }
    const signer = lies.signature === "foreign key" ? foreign : key;
    return sign("sha256", Buffer.from(content), signer.privateKey).toString("base64url");
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await textOf(request));
    const code = codes.get(form.get("code") ?? "");
    const own = liesTo.get(form.get("code") ?? "") ?? lies;
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const authorization = `Basic ${Buffer.from(
      `${CLIENT.clientId}:${new URLSearchParams({ s: CLIENT.clientSecret }).toString().slice(2)}`,
    ).toString("base64")}`;
    if (request.headers.authorization !== authorization) {
      return send(response, { error: "invalid_client" }, 401);
    }
    if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri")) {
      return send(response, { error: "invalid_grant" }, 400);
    }
    const tokens = { access_token: "access", token_type: "Bearer", expires_in: 60 };
    send(response, { ...tokens, id_token: own.idToken ?? idToken(code.nonce, own) });
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    requests.push(url.pathname);
    const other = lies.respond?.[url.pathname];
    if (other !== undefined) return other(response, request);
    if (url.pathname === "/.well-known/openid-configuration") return send(response, metadata());
    if (url.pathname === "/keys") return send(response, { keys: [key.jwk] });
    if (url.pathname === "/userinfo") return send(response, { sub: "ada", ...lies.userInfo });
    if (url.pathname === "/token") return void token(request, response);
    if (url.pathname !== "/authorize") return send(response, {}, 404);
    const code = randomBytes(8).toString("hex");
    const redirectUri = url.searchParams.get("redirect_uri") ?? "";
    codes.set(code, {
      nonce: url.searchParams.get("nonce") ?? "",
      challenge: url.searchParams.get("code_challenge") ?? "",
      redirectUri,
    });
    const callback = new URL(redirectUri);
    callback.searchParams.set("code", code);
    callback.searchParams.set("state", url.searchParams.get("state") ?? "");
    response.writeHead(302, { location: callback.href }).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    lie(other) {
      lies = other;
    },
    lieTo(code, other) {
      liesTo.set(code, other);
    },
    rotateKey() {
      key = newKey();
    },
    async signIn(authorizationUrl) {
      const response = await fetch(authorizationUrl, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: Json;
}

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = randomBytes(4).toString("hex");
  const jwk = { ...publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" };
  return { kid, privateKey, publicKey, jwk };
}

const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function send(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += part;
  return text;
}
