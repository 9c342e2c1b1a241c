import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { Fault } from "../../domain/faults/fault.ts";
import { parseAllowed } from "../../outgoing/allow-list.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { CLIENT, type Lies, startHostileProvider } from "./hostile-provider.fixture.ts";
import { createProvider } from "./provider.ts";

const ATTEMPT = { state: "state-1", nonce: "nonce-1", verifier: "v".repeat(43) };
const hostile = await startHostileProvider();
afterAll(() => hostile.stop());
beforeEach(() => hostile.lie({}));

const logged: string[] = [];

function createClient(issuer = hostile.issuer, clock = Date.now) {
  const target = parseAllowed(new URL(issuer).host);
  return createProvider({
    settings: {
      issuer,
      ...CLIENT,
      name: "Test",
      owners: [],
      allowed: [],
      groupsClaim: "groups",
    },
    outgoing: createOutgoing({
      allowed: target === undefined ? [] : [target],
      userAgent: "Holdall/test",
    }),
    publicUrl: "https://files.example.com",
    now: clock,
    onError: (_message, cause) => logged.push(String(cause)),
  });
}

/** A whole sign-in, as the browser and the server do it. */
async function signIn(client = createClient(), attempt = ATTEMPT) {
  const callback = await hostile.signIn(await client.authorizationUrl(attempt));
  return client.redeem(new URL(callback).searchParams, attempt);
}

/** The code of the fault; "none": there is none. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);

describe("a provider", () => {
  test("says who has signed in", async () => {
    expect(await signIn()).toEqual({
      issuer: hostile.issuer,
      subject: "ada",
      email: "ada@example.com",
      isEmailVerified: true,
      groups: ["staff"],
    });
  });

  test("gets PKCE, state and nonce, and comes back to this server", async () => {
    const url = new URL(await createClient().authorizationUrl(ATTEMPT));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "holdall",
      redirect_uri: "https://files.example.com/auth/oidc/callback",
      scope: "openid profile email",
      state: "state-1",
      nonce: "nonce-1",
      code_challenge_method: "S256",
    });
    expect(url.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
  });

  test("is asked for groups if it knows that scope", async () => {
    hostile.lie({ metadata: { scopes_supported: ["openid", "groups"] } });
    const url = new URL(await createClient().authorizationUrl(ATTEMPT));
    expect(url.searchParams.get("scope")).toBe("openid profile email groups");
  });

  test("may give the address and the groups in the user info only", async () => {
    hostile.lie({
      claims: { email: undefined, email_verified: true, groups: undefined },
      userInfo: { email: "Ada@Example.org", email_verified: false, groups: ["a", 7, "a", "b"] },
    });
    expect(await signIn()).toMatchObject({
      email: "ada@example.org",
      isEmailVerified: false,
      groups: ["a", "b"],
    });
  });

  test("may take the secret in the body", async () => {
    hostile.lie({ metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] } });
    // The test's provider only takes the header, and so refuses.
    expect(await codeOf(signIn())).toBe("provider_unavailable");
  });

  test("is not asked for metadata and keys each time", async () => {
    const client = createClient();
    await signIn(client);
    hostile.requests.length = 0;
    await signIn(client);
    expect(hostile.requests).toEqual(["/authorize", "/token"]);
  });

  test("is asked for metadata again after ten minutes", async () => {
    let time = 0;
    const client = createClient(hostile.issuer, () => time);
    await signIn(client);
    hostile.rotateKey();
    expect(await codeOf(signIn(client))).toBe("invalid_token");
    time = 10 * 60_000;
    expect(await codeOf(signIn(client))).toBe("none");
  });

  test("is not trusted any more when its metadata change to those of another", async () => {
    let time = 0;
    const client = createClient(hostile.issuer, () => time);
    await signIn(client);
    hostile.lie({ metadata: { issuer: "https://evil.example.com" } });
    time = 10 * 60_000;
    expect(await codeOf(signIn(client))).toBe("provider_unavailable");
    hostile.lie({});
    expect(await codeOf(signIn(client))).toBe("none");
  });

  test("may have a clock that differs by less than a minute", async () => {
    hostile.lie({ claims: { iat: seconds() + 50, nbf: seconds() + 50, exp: seconds() + 300 } });
    expect(await codeOf(signIn())).toBe("none");
    hostile.lie({ claims: { iat: seconds() - 400, exp: seconds() - 50 } });
    expect(await codeOf(signIn())).toBe("none");
  });

  test("says where to sign out, if it has a page for it", async () => {
    expect(await createClient().signOutUrl()).toBe(null);
    hostile.lie({ metadata: { end_session_endpoint: `${hostile.issuer}/end?a=b` } });
    expect(await createClient().signOutUrl()).toBe(
      `${hostile.issuer}/end?a=b&client_id=holdall&post_logout_redirect_uri=https%3A%2F%2Ffiles.example.com%2Fsign-in`,
    );
  });
});

describe("refuses a token", () => {
  const rows: readonly [title: string, lies: Lies][] = [
    ["without a signature", { header: { alg: "none" }, signature: "none" }],
    [
      "without a signature, from a provider that says it may do so",
      {
        header: { alg: "none" },
        signature: "none",
        metadata: { id_token_signing_alg_values_supported: ["RS256", "none"] },
      },
    ],
    ["with an empty signature", { signature: "none" }],
    ["signed with another key", { signature: "foreign key" }],
    [
      "signed with the public key as a secret",
      {
        header: { alg: "HS256" },
        signature: "hmac with the public key",
        metadata: { id_token_signing_alg_values_supported: ["RS256", "HS256"] },
      },
    ],
    ["with a key id that is not in the set", { header: { kid: "other" } }],
    ["with a critical header that is unknown", { header: { crit: ["x"], x: 1 } }],
    ["of another issuer", { claims: { iss: "https://evil.example.com" } }],
    ["of the issuer with a slash", { claims: { iss: `${hostile.issuer}/` } }],
    ["for another client", { claims: { aud: "other" } }],
    ["for several clients, made for another one", { claims: { aud: ["holdall", "b"], azp: "b" } }],
    ["with another nonce", { claims: { nonce: "nonce-2" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["with an empty subject", { claims: { sub: "" } }],
    ["with a NUL in the subject", { claims: { sub: "ada\0" } }],
    ["with half a character in the subject", { claims: { sub: "ada\ud800" } }],
    ["with a subject that is a number", { claims: { sub: 7 } }],
    ["that has expired more than a minute ago", { claims: { exp: seconds() - 70 } }],
    ["that is not valid for more than a minute", { claims: { nbf: seconds() + 70 } }],
    ["without an expiry", { claims: { exp: undefined } }],
    ["that is text", { idToken: "hello" }],
    ["that is too long for a response", { claims: { filler: "x".repeat(2_000_000) } }],
    [
      "whose user info is about another subject",
      { claims: { email: undefined }, userInfo: { sub: "bob", email: "bob@example.com" } },
    ],
  ];
  test.each(rows)("%s", async (_title, lies) => {
    hostile.lie(lies);
    const code = await codeOf(signIn());
    expect(code).toBe("filler" in (lies.claims ?? {}) ? "provider_unavailable" : "invalid_token");
  });

  test("of another sign-in", async () => {
    const client = createClient();
    const callback = await hostile.signIn(await client.authorizationUrl(ATTEMPT));
    const query = new URL(callback).searchParams;
    expect(await codeOf(client.redeem(query, { ...ATTEMPT, nonce: "nonce-2" }))).toBe(
      "invalid_token",
    );
  });

  test("for a state of another browser", async () => {
    const client = createClient();
    const callback = await hostile.signIn(await client.authorizationUrl(ATTEMPT));
    hostile.requests.length = 0;
    const other = { ...ATTEMPT, state: "state-2" };
    expect(await codeOf(client.redeem(new URL(callback).searchParams, other))).toBe(
      "invalid_token",
    );
    expect(hostile.requests).toEqual([]);
  });

  test("for a code that was used, or another verifier", async () => {
    const client = createClient();
    const callback = await hostile.signIn(await client.authorizationUrl(ATTEMPT));
    const query = new URL(callback).searchParams;
    await client.redeem(query, ATTEMPT);
    expect(await codeOf(client.redeem(query, ATTEMPT))).toBe("provider_refused");
    const again = new URL(await hostile.signIn(await client.authorizationUrl(ATTEMPT)));
    const other = { ...ATTEMPT, verifier: "w".repeat(43) };
    expect(await codeOf(client.redeem(again.searchParams, other))).toBe("provider_refused");
  });

  test("for a response of another issuer (RFC 9207)", async () => {
    const client = createClient();
    const callback = new URL(await hostile.signIn(await client.authorizationUrl(ATTEMPT)));
    callback.searchParams.set("iss", "https://evil.example.com");
    expect(await codeOf(client.redeem(callback.searchParams, ATTEMPT))).toBe("invalid_token");
  });
});

test("an error of the provider is told by its word only", async () => {
  const client = createClient();
  const query = (error: string) => new URLSearchParams({ error, state: ATTEMPT.state });
  await expect(client.redeem(query("access_denied"), ATTEMPT)).rejects.toThrow(
    "The provider has not signed you in: access_denied.",
  );
  await expect(client.redeem(query("<b>call 555</b>"), ATTEMPT)).rejects.toThrow(
    "The provider has not signed you in: an error.",
  );
});

describe("is unavailable while the provider", () => {
  const answers =
    (status: number, body: string, type = "application/json") =>
    (response: ServerResponse) =>
      response.writeHead(status, { "content-type": type }).end(body);
  const discovery = "/.well-known/openid-configuration";
  const rows: readonly [title: string, lies: Lies][] = [
    ["has no metadata", { respond: { [discovery]: answers(404, "{}") } }],
    ["fails", { respond: { [discovery]: answers(500, "{}") } }],
    ["sends a page", { respond: { [discovery]: answers(200, "<p>hi</p>", "text/html") } }],
    ["sends no JSON", { respond: { [discovery]: answers(200, "{") } }],
    ["redirects", { respond: { [discovery]: answers(302, "") } }],
    ["sends too much", { respond: { [discovery]: answers(200, " ".repeat(2_000_000)) } }],
    ["calls itself otherwise", { metadata: { issuer: "https://evil.example.com" } }],
    ["has no page for signing in", { metadata: { authorization_endpoint: undefined } }],
    [
      "names a page that is a script",
      { metadata: { authorization_endpoint: "javascript:alert(1)" } },
    ],
    ["names no keys", { metadata: { jwks_uri: undefined } }],
    ["names no address for tokens", { metadata: { token_endpoint: undefined } }],
    [
      "names an address for tokens inside the network",
      { metadata: { token_endpoint: "http://169.254.169.254/token" } },
    ],
    ["names another port of its machine", { metadata: { jwks_uri: "http://127.0.0.1:1/keys" } }],
    ["fails to give a token", { respond: { "/token": answers(503, "") } }],
    [
      "fails to give a token, in the words of OAuth",
      { respond: { "/token": answers(500, '{"error":"server_error"}') } },
    ],
    ["has no keys", { respond: { "/keys": answers(404, "{}") } }],
    [
      "does not know this server",
      { respond: { "/token": answers(401, '{"error":"invalid_client"}') } },
    ],
    [
      "fails to give user info",
      { claims: { email: undefined }, respond: { "/userinfo": answers(500, "") } },
    ],
    ["closes the connection", { respond: { "/token": (response) => void response.destroy() } }],
  ];
  test.each(rows)("%s", async (_title, lies) => {
    hostile.lie(lies);
    logged.length = 0;
    expect(await codeOf(signIn())).toBe("provider_unavailable");
    expect(logged).toHaveLength(1);
  });

  test("is down, and works when it is up again", async () => {
    const first = await startHostileProvider();
    const port = Number(new URL(first.issuer).port);
    await first.stop();
    const client = createClient(first.issuer);
    expect(await codeOf(client.authorizationUrl(ATTEMPT))).toBe("provider_unavailable");
    const second = await startHostileProvider(port);
    expect(await codeOf(client.authorizationUrl(ATTEMPT))).toBe("none");
    await second.stop();
  });

  test("does not answer for ten seconds", async () => {
    hostile.lie({ respond: { [discovery]: () => {} } });
    const start = performance.now();
    expect(await codeOf(createClient().authorizationUrl(ATTEMPT))).toBe("provider_unavailable");
    expect(performance.now() - start).toBeLessThan(12_000);
  }, 20_000);
});

test("the log never has a token", async () => {
  logged.length = 0;
  hostile.lie({ claims: { aud: "other" } });
  await codeOf(signIn());
  expect(logged).toHaveLength(1);
  expect(logged[0]).not.toContain("ey");
});
