import { expect } from "bun:test";
import { z } from "zod";
import {
  CLIENT,
  type HostileProvider,
  type Lies,
  startHostileProvider,
} from "../server/access/oidc/hostile-provider.fixture.ts";
import { expectData } from "./expectations.ts";
import { type Environment, startServer, type TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { createVisitor, type OidcVisitor, ORIGIN } from "./oidc-visitor.fixture.ts";
import { administrator } from "./session.ts";

/** A server with a provider that says whatever the test tells it to. */
export interface OidcFixture {
  readonly provider: HostileProvider;
  /** With which a test starts a server of its own. */
  readonly environment: Environment;
  readonly server: TestServer;
  visitor(): OidcVisitor;
  /** Lies about a person whom no test has seen. */
  stranger(claims?: Record<string, unknown>): Lies;
  /** The subject of the last stranger, whose address is at example.com. */
  person(): string;
  /** Signs the administrator in with the password. */
  administratorsBrowser(): Promise<OidcVisitor>;
  connect(browser: OidcVisitor, currentPassword?: string): Promise<HttpResponse>;
  /** The path to which the provider sends a browser that connects. */
  connecting(browser: OidcVisitor): Promise<string>;
  discard(): Promise<void>;
}

export const SESSION = "__Host-holdall_session";
export const PENDING = "__Host-holdall_oidc";

const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;

export async function startOidc(): Promise<OidcFixture> {
  const provider = await startHostileProvider();
  const environment = {
    ...administrator,
    PUBLIC_URL: ORIGIN,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_OWNERS: "group:admins",
    OIDC_ALLOWED: "staff, @example.org",
  };
  const server = await startServer(environment);
  let counter = 0;
  const person = (): string => `person-${counter}`;
  const visitor = (): OidcVisitor => createVisitor(server, provider);
  const connect = (browser: OidcVisitor, currentPassword: string = password) =>
    browser.request("POST", "/auth/oidc/connect", { currentPassword });
  return {
    provider,
    environment,
    server,
    visitor,
    person,
    connect,
    stranger(claims = {}) {
      counter += 1;
      const sub = person();
      return {
        claims: { sub, email: `${sub}@example.com`, ...claims },
        userInfo: { sub },
      };
    },
    async administratorsBrowser() {
      const browser = visitor();
      expect((await signInWithPassword(browser)).status).toBe(200);
      return browser;
    },
    async connecting(browser) {
      const begun = expectData(await connect(browser), z.object({ url: z.string() }));
      return (await provider.signIn(begun.url)).slice(ORIGIN.length);
    },
    async discard() {
      await server.discard();
      await provider.stop();
    },
  };
}

export const signInWithPassword = (browser: OidcVisitor): Promise<HttpResponse> =>
  browser.request("POST", "/auth/sign-in", { email, password });

const whoData = z.object({
  account: z.object({ id: z.string(), email: z.string(), role: z.enum(["owner", "member"]) }),
  session: z.object({ createdAt: z.string(), expiresAt: z.string() }),
});

export const whoIs = async (browser: OidcVisitor) =>
  expectData(await browser.request("GET", "/auth/session"), whoData);

export const roleOf = async (browser: OidcVisitor) => (await whoIs(browser)).account.role;

export const codeOf = ({ text }: HttpResponse): string => JSON.parse(text).error.code;
