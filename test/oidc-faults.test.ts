import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { startHostileProvider } from "../server/access/oidc/hostile-provider.fixture.ts";
import { expectFault } from "./expectations.ts";
import { codeOf, PENDING, SESSION, signInWithPassword, startOidc } from "./oidc.fixture.ts";
import { createVisitor } from "./oidc-visitor.fixture.ts";
import { administrator } from "./session.ts";
import { withServer } from "./with-server.ts";

const fixture = await startOidc();
const { provider, environment, visitor, stranger } = fixture;
afterAll(fixture.discard);
beforeEach(() => provider.lie({}));

describe("no session and a clear answer", () => {
  test.each([
    ["of another issuer", { claims: { iss: "https://evil.example.com" } }],
    ["for another client", { claims: { aud: "other" } }],
    ["with another nonce", { claims: { nonce: "other" } }],
    ["without a signature", { header: { alg: "none" }, signature: "none" }],
    ["signed with another key", { signature: "foreign key" }],
  ] as const)("for a token %s", async (_title, lies) => {
    provider.lie(lies);
    await withServer(environment, async (own) => {
      const browser = createVisitor(own, provider);
      const answer = await browser.signIn();
      expectFault(answer, 401, /answer of the sign-in provider is not valid/);
      expect(codeOf(answer)).toBe("invalid_token");
      expect(browser.cookies.has(SESSION)).toBe(false);
    });
  });

  test("in a browser that has begun nothing", async () => {
    const path = await visitor().begin();
    const answer = await visitor().request("GET", path);
    expectFault(answer, 400, /took too long, or began in another window/);
    expect(codeOf(answer)).toBe("sign_in_expired");
  });

  test("for a callback that was used", async () => {
    provider.lie(stranger());
    const browser = visitor();
    const path = await browser.begin();
    expect((await browser.request("GET", path)).status).toBe(303);
    expect(codeOf(await browser.request("GET", path))).toBe("sign_in_expired");
  });

  test("for a cookie that is changed, or of another server", async () => {
    const browser = visitor();
    const path = await browser.begin();
    const sealed = browser.cookies.get(PENDING) ?? "";
    const last = sealed.at(-1) === "A" ? "B" : "A";
    for (const other of [`${last}${sealed.slice(1)}`, `${sealed}AAAA`, "x", ""]) {
      browser.cookies.set(PENDING, other);
      expect((await browser.request("GET", path)).status).toBe(400);
    }
    browser.cookies.set(PENDING, sealed);
    await withServer(environment, async (own) => {
      const elsewhere = createVisitor(own, provider);
      elsewhere.cookies.set(PENDING, sealed);
      expect(codeOf(await elsewhere.request("GET", path))).toBe("sign_in_expired");
    });
  });

  test("as a page for people, which leads back", async () => {
    const answer = await visitor().request("GET", "/auth/oidc/callback?code=1", undefined, {
      Accept: "text/html",
    });
    expect(answer.status).toBe(400);
    expect(answer.header("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.header("content-security-policy")).toContain("default-src 'none'");
    expect(answer.text).toContain("Begin again");
    expect(answer.text).toContain('href="../../sign-in"');
    expect(answer.text).not.toContain("Shared with");
  });

  test("while the provider is down", async () => {
    const down = await startHostileProvider();
    await down.stop();
    await withServer({ ...environment, OIDC_ISSUER: down.issuer }, async (own) => {
      const browser = createVisitor(own, provider);
      const answer = await browser.request("GET", "/auth/oidc");
      expectFault(answer, 503, /does not answer as it should/);
      expect(codeOf(answer)).toBe("provider_unavailable");
      expect(own.output()).toContain("The provider could not be reached");
      // Nobody is kept out who does not need the provider.
      const password_ = await signInWithPassword(browser);
      expect(password_.status).toBe(200);
    });
  });

  test("after five failures, for a while", async () => {
    await withServer(environment, async (own) => {
      const codes: string[] = [];
      for (let round = 0; round < 7; round += 1) {
        const browser = createVisitor(own, provider);
        provider.lie({ signature: "foreign key" });
        const answer = await browser.signIn();
        codes.push(codeOf(answer));
        if (answer.status === 429) expect(answer.header("retry-after")).toMatch(/^\d+$/);
      }
      expect(codes.slice(0, 5)).toEqual(Array(5).fill("invalid_token"));
      expect(codes.at(-1)).toBe("rate_limited");
      // The password of the same client is not affected.
      const browser = createVisitor(own, provider);
      const answer = await signInWithPassword(browser);
      expect(answer.status).toBe(200);
    });
  });

  test("without a provider", async () => {
    await withServer(administrator, async (own) => {
      for (const path of ["/auth/oidc", "/auth/oidc/callback?code=1&state=2"]) {
        expectFault(await createVisitor(own, provider).request("GET", path), 404, /no provider/);
      }
    });
  });
});
